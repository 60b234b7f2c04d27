import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

const agent: AgentRehearsal = {
  name: 'pi',
  wire: 'openai-chat',
  model: 'm1',
  shell: (command) => ({ name: 'bash', arguments: { command } }),
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
