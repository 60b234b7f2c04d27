import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

const agent: AgentRehearsal = {
  name: 'gemini',
  wire: 'gemini',
  model: 'gemini-2.5-flash',
  shell: (command) => ({ name: 'run_shell_command', arguments: { command } }),
  pinned: { package: '@google/gemini-cli', version: '0.61.0' },
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
