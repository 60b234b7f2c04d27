import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

const agent: AgentRehearsal = {
  name: 'qwen',
  wire: 'openai-chat',
  model: 'm1',
  shell: (command) => ({ name: 'run_shell_command', arguments: { command, is_background: false } }),
  pinned: { package: '@qwen-code/qwen-code', version: '0.15.10' },
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
