import { reason } from '../../evidence/reasons/catalogue.ts';
import { diagnoseAgent, explainNoChange } from '../agent/diagnose.ts';
import type { Engine, EngineDefinition } from '../definition.ts';
import { agentEnvironment } from '../environment.ts';
import { UNRESTRICTED } from '../policy.ts';
import { fillFiles, fillRecord, fillText, placeholderValues } from './fill.ts';
import { openMessageStream } from './message-stream.ts';
import type { AcpProfile } from './profile.ts';
import { readAgentLog } from './update-reader.ts';

/** `acp:<profile>`: an agent that speaks the Agent Client Protocol on its standard streams. */
export function acpDefinition(profileName: string, profile: AcpProfile): EngineDefinition {
  const name = `acp:${profileName}`;
  const engine = acpEngine(name, profileName, profile);
  const {
    program,
    install = `install ${program}`,
    wires,
    provider = null,
    aliases = {},
    identify = ['--version'],
  } = profile;
  return {
    name,
    policy: {
      ...UNRESTRICTED,
      executable: { from: 'path', program, install },
      model: { from: 'flag', wires, provider, aliases },
    },
    identify: { args: identify, expects: /\S/ },
    headless: { options: [], configure: () => engine },
    reasons: {},
    selfTest: null,
    loops: [],
  };
}

function acpEngine(name: string, profileName: string, profile: AcpProfile): Engine {
  const { args = [], env = {}, files = {}, modes, hides = [], mcp_servers_in: mcpServersIn = {} } = profile;
  const dir = `acp-${profileName}`;
  return {
    name,
    usesOracle: false,
    stateDirs: [],
    hides,
    mcpServersIn,
    launch: (context) => {
      const { program, model, contract, at, asks } = context;
      if (program === null || model === null) return { refused: reason('provider_unavailable') };
      const values = placeholderValues(model, at(`/artifacts/${dir}`), asks);
      const assignment = {
        engine: name,
        instruction: contract.instruction,
        workspace: at('/workspace'),
        mode: modes === undefined ? null : modes[asks ? 'asks' : 'free'],
        asks,
      };
      return {
        argv: [program, ...args.map((word) => fillText(word, values))],
        env: { ...agentEnvironment(context), ...fillRecord(env, values) },
        stdin: contract.instruction,
        // The directory must exist, also without settings.
        files: Object.fromEntries(
          Object.entries({ 'README.txt': `State of ${profileName} in this run.\n`, ...fillFiles(files, values) }).map(
            ([path, text]) => [`${dir}/${path}`, text],
          ),
        ),
        converse: async (peer) => {
          const stream = openMessageStream(peer.output, peer.input);
          const { converse } = await import('./conversation.ts');
          return converse(stream, peer, assignment);
        },
      };
    },
    // What it prints is read by the conversation.
    read: () => [],
    ownLog: () => null,
    claimIn: () => null,
    diagnose: diagnoseAgent,
    explainNoChange: (logs) => explainNoChange(name, logs, readAgentLog),
  };
}
