import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

const agent: AgentRehearsal = {
  name: 'opencode',
  wire: 'openai-chat',
  model: 'm1',
  shell: (command) => ({ name: 'bash', arguments: { command, description: 'does the work' } }),
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
