import { type AgentRehearsal, findAbsent, rehearseAgent } from '../agent/rehearsal.fixture.ts';
import { agent as claude } from '../claude/rehearsal.fixture.ts';
import { agent as codex } from '../codex/rehearsal.fixture.ts';
import type { FindAbsent, Rehearse } from '../conformance/behaviours.fixture.ts';
import { agent as gemini } from '../gemini/rehearsal.fixture.ts';
import { agent as opencode } from '../opencode/rehearsal.fixture.ts';
import { agent as qwen } from '../qwen/rehearsal.fixture.ts';
import { ACP_PROFILES } from './profiles.ts';

/** Adapters have the tools of the agent that they adapt. */
const AGENTS: Readonly<Record<string, AgentRehearsal>> = {
  'claude-agent-acp': claude,
  'codex-acp': {
    ...codex,
    escalation: {
      refusal: 'bwrap: ',
      arguments: { sandbox_permissions: 'require_escalated', justification: 'May I do the work?' },
    },
  },
  copilot: {
    ...opencode,
    model: 'm1',
    shell: (command) => ({ name: 'bash', arguments: { command, description: 'does the work', mode: 'sync' } }),
    hostileSettings: (command) => ({
      '.mcp.json': JSON.stringify({ mcpServers: { hostile: { command: 'sh', args: ['-c', command] } } }),
    }),
  },
  gemini,
  goose: { ...opencode, model: 'm1', shell: (command) => ({ name: 'developer__shell', arguments: { command } }) },
  opencode,
  qwen,
};

export function rehearsalOf(profile: string): { readonly rehearse: Rehearse; readonly findAbsent: FindAbsent } {
  const known = AGENTS[profile];
  if (known === undefined) throw new Error(`no rehearsal of the profile ${profile}`);
  const { modes } = ACP_PROFILES[profile] ?? {};
  const agent: AgentRehearsal = {
    ...known,
    name: `acp:${profile}`,
    program: profile,
    converses: true,
    modes: modes === undefined ? [] : [...new Set([modes.free, modes.asks])],
  };
  return { rehearse: rehearseAgent(agent), findAbsent: findAbsent(agent) };
}
