import { reason } from '../../evidence/reasons/catalogue.ts';
import type { JsonObject } from '../../gateway/exchange/json.ts';
import type { Engine, EngineDefinition, EngineEvent, Launch, LaunchContext, ModelAccess } from '../definition.ts';
import { agentEnvironment } from '../environment.ts';
import { type LoginPolicy, type OfferedModels, UNRESTRICTED } from '../policy.ts';
import { diagnoseAgent, explainNoChange } from './diagnose.ts';
import { readJsonLine } from './json-line.ts';

/** What is given to an agent's program for one run. */
export interface AgentContext extends LaunchContext {
  readonly program: string;
  readonly model: ModelAccess;
  /** The directory of its own settings and state, empty but for `files`. */
  readonly home: string;
}

/** A coding agent that people install: started once without a terminal, prints one JSON object a line. */
export interface InstalledAgent {
  readonly name: string;
  /** Its package on npm. */
  readonly package: string;
  readonly models: Omit<OfferedModels, 'from'>;
  /** By provider. Left out: it takes keys only. */
  readonly logins?: Readonly<Record<string, LoginPolicy>>;
  readonly hides: Engine['hides'];
  readonly mcpServersIn: NonNullable<Engine['mcpServersIn']>;
  /** `files` are relative to `home`. The instruction comes on standard input. */
  launch(context: AgentContext): Pick<Launch, 'argv' | 'env' | 'files'>;
  readEvent(event: JsonObject): readonly EngineEvent[];
}

/** Every such agent is found on PATH, describes itself with `--version`, and asks its model through the gateway alone. */
export function agentDefinition(agent: InstalledAgent): EngineDefinition {
  const engine = agentEngine(agent);
  return {
    name: agent.name,
    policy: {
      ...UNRESTRICTED,
      executable: { from: 'path', program: agent.name, install: `npm install --global ${agent.package}` },
      model: { from: 'flag', ...agent.models },
      logins: agent.logins ?? {},
    },
    identify: { args: ['--version'], expects: /\S/ },
    headless: { options: [], configure: () => engine },
    reasons: {},
    selfTest: null,
    loops: [],
  };
}

function agentEngine(agent: InstalledAgent): Engine {
  const { name, hides, mcpServersIn } = agent;
  const read = (line: string): readonly EngineEvent[] => {
    const event = readJsonLine(line);
    return event === null ? [] : agent.readEvent(event);
  };
  return {
    name,
    usesOracle: false,
    stateDirs: [],
    hides,
    mcpServersIn,
    launch: (context) => {
      const { program, model, contract, at } = context;
      if (program === null || model === null) return { refused: reason('provider_unavailable') };
      const { argv, env, files } = agent.launch({ ...context, program, model, home: at(`/artifacts/${name}`) });
      return {
        argv,
        env: { ...agentEnvironment(context), ...env },
        stdin: contract.instruction,
        files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text])),
      };
    },
    read,
    ownLog: () => null,
    claimIn: () => null,
    diagnose: diagnoseAgent,
    explainNoChange: (logs) => explainNoChange(name, logs, (stdout) => stdout.split('\n').flatMap(read)),
  };
}
