import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

const agent: AgentRehearsal = {
  name: 'codex',
  wire: 'openai-responses',
  model: 'm1',
  shell: (command) => ({ name: 'exec_command', arguments: { cmd: command } }),
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
