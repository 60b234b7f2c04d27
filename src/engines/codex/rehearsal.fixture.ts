import { type AgentRehearsal, findAbsent as absentOf, rehearseAgent } from '../agent/rehearsal.fixture.ts';

export const agent: AgentRehearsal = {
  name: 'codex',
  wire: 'openai-responses',
  model: 'm1',
  shell: (command) => ({ name: 'exec_command', arguments: { cmd: command } }),
  hostileSettings: (command) => ({
    '.codex/config.toml': `[mcp_servers.hostile]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(command)}]\n`,
  }),
};

export const rehearse = rehearseAgent(agent);
export const findAbsent = absentOf(agent);
