import type { GatheredFacts, RunFacts } from '../admission/gather.ts';
import type { ModelRecord } from '../evidence/schema/admission.ts';
import type { Exchange } from '../evidence/schema/exchange.ts';
import type { Budgets, Fault, Upstream } from '../gateway/types.ts';
import type { Bundle } from '../evidence/bundle/bundle.ts';
import type { HarnessKey } from '../evidence/bundle/keys.ts';
import type { SecretPatterns } from '../evidence/secrets/patterns.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import type { Confinement, Mount } from '../confine/types.ts';
import type { Engine, EngineEvent } from '../engines/definition.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TreeChange } from '../task/git/lay-changes.ts';
import type { Archives, InputSources } from './trees/inputs.ts';
import type { Contract, Terms } from '../task/contract.ts';
import type { ApprovalPolicy } from './approvals/policy.ts';
import type { AskPerson } from './approvals/wait.ts';
import type { StepTiming } from '../evidence/log/run-log.ts';
import type { ProvisionFile } from './provision/files.ts';
import type { Provisioned } from './provision/provision.ts';
import type { ShownTrees } from './review/shown-trees.ts';
import type { PreparedWorkspace } from './trees/workspace.ts';

/** Where a run happens: the same for every run of one command. */
export interface RunEnvironment {
  readonly runsDir: string;
  readonly key: HarnessKey;
  readonly clock: Clock;
  readonly confine: 'bubblewrap' | 'none';
  /** `copy`: workspaces are copies even where an overlay could be mounted. Default: `overlay`. */
  readonly workspace?: 'overlay' | 'copy';
  /** Directories of this machine shown read-only inside (`[confine] read_only`). */
  readonly readOnly: readonly string[];
  /** What no confinement may show: Seatrial itself, its tasks, runs, keys and settings. */
  readonly covered: readonly string[];
  readonly targetPaths: readonly string[];
  readonly protectedRoots: readonly string[];
  /** Protected without configuration: the package of Seatrial, and the parts of it that are compared where nothing confines. */
  readonly harnessRoots: { readonly around: readonly string[]; readonly compared: readonly string[] };
  /** What is known of the admission of all engines for a run with this one. Looks again each time it is asked. */
  readonly admission: (engine: string, run: RunFacts) => GatheredFacts;
  readonly models: {
    /** Where an admitted model is: for the gateway alone. */
    readonly upstream: (model: ModelRecord) => Upstream | null;
    readonly budgets: (model: ModelRecord) => Budgets;
    /** A file of certificates to trust beyond the system's. */
    readonly certificates: string | null;
  };
  readonly approvals: ApprovalPolicy;
  /** Null: there is no terminal to ask on. */
  readonly ask: AskPerson | null;
  /** Where the test runner's programs are found. */
  readonly tools: Omit<ToolSearch, 'needsModule'>;
  readonly provision: {
    /** Where what setups made is kept; null: nowhere. */
    readonly cacheDir: string | null;
    /** Variables of the caller that the setup, and nothing else, is given. */
    readonly env: Readonly<Record<string, string>>;
    /** Files of the caller, likewise. */
    readonly files: readonly ProvisionFile[];
    /** What must not be stored of the setup's words: all secrets, and the values of those variables. */
    readonly secrets: SecretPatterns;
  };
  /** What must never be stored or shown. */
  readonly secrets: SecretPatterns;
}

/** One task for one engine. */
export interface RunRequest {
  readonly environment: RunEnvironment;
  readonly terms: Terms;
  readonly inputs: InputSources;
  readonly solutionDir: string | null;
  /** Holds the sealed tests, so it is hidden from every command of the run. */
  readonly taskDir: string | null;
  readonly engine: Engine;
  /** Reviews the change where `terms.review_engine` names it. */
  readonly reviewer?: Reviewer;
  readonly watch: RunObserver;
  readonly signal: AbortSignal;
  /** A change that was made elsewhere: no engine runs. `terms.given` says whose it is. */
  readonly givenChange?: GivenChange;
  /** The bundle of the previous attempt, whose change the engine starts from; `terms.attempt` says so. */
  readonly previousWork?: string;
  /** Another run's beginning and its model's answers, instead of a model. */
  readonly replay?: ReplayedRun;
  /** Settings of the repository that the engine may see: digests by path (`[engines.<name>] repo_settings`). */
  readonly repoSettings?: Readonly<Record<string, string>>;
  /** For a review: the trees that it is about; `terms.reviewed` names them. Absent: they are among the inputs, or there are none. */
  readonly shows?: ShownTrees;
  /** Traces what the engine looks for, and digests the protected roots before and after. */
  readonly audit?: true;
  /** Adds a target of the harness's own, to show that targets are hidden. */
  readonly plantTarget?: true;
  /** Repositories that no command of the run may see, wherever on this machine they lie. */
  readonly hidden?: readonly string[];
  /** What is to go wrong at the gateway, to see what comes of it. */
  readonly fault?: Fault;
  /** For a control: the run it belongs to. */
  readonly controlOf?: {
    readonly bundle: Bundle;
    readonly archives: Archives;
    readonly laid: PreparedWorkspace;
    readonly provisioned: Provisioned;
    readonly scratch: string;
  };
  /** Called when the run's directory is there and nothing else has happened. */
  readonly onCreated?: (bundle: Bundle) => void;
  /** Called when nothing of the engine is left and before the harness looks: for another judge to see the same. Must change nothing. */
  readonly afterEngine?: (left: AfterEngineContext) => Promise<void>;
}

/** A change that was made elsewhere, to be applied to the base. */
export type GivenChange =
  /** The paths that it touches, and a directory with the files that it leaves there. */
  | { readonly kind: 'files'; readonly dir: string; readonly changes: readonly TreeChange[] }
  /** That of a bundle. */
  | { readonly kind: 'patch'; readonly bundleDir: string };

/** An engine that reviews what another one did. The environment says which model it asks. */
export interface Reviewer {
  readonly engine: Engine;
  readonly environment: RunEnvironment;
}

export interface ReplayedRun {
  readonly startedAt: string;
  readonly exchanges: readonly Exchange[];
}

/** Whether a known outcome of the same task is to be had beside the run. */
export function hasControl({ engine, controlOf }: RunRequest): boolean {
  return !engine.usesOracle && controlOf === undefined;
}

/** A control is the harness's own: there is nothing to find out about it. */
export function isAudited({ audit, controlOf }: RunRequest): boolean {
  return audit === true && controlOf === undefined;
}

/** What there is when an engine has gone. */
export interface AfterEngineContext {
  readonly contract: Contract;
  readonly confinement: Confinement;
  readonly mounts: readonly Mount[];
  readonly sealedTests: string | null;
  /** Directories of the run, outside the bundle. */
  readonly scratchPath: (name: string) => string;
  readonly bundle: Bundle;
  readonly exitCode: number | null;
}

/** Who looks on while a run goes. Must not throw. */
export interface RunObserver {
  /** `steps` grows while the run goes on: it is there to be looked at, as often as the observer likes. */
  onStarted(bundle: Bundle, steps: readonly StepTiming[]): void;
  /** The last line that something printed. */
  activity(text: string): void;
  /** What the engine says of itself, without secrets. */
  engineEvent(event: EngineEvent): void;
  /** What the model has cost so far. */
  spent(spent: ModelSpending): void;
  /** A line that stays. */
  note(text: string): void;
  /** The run waits for this answer; null: it goes on. */
  question(asked: AskedQuestion | null): void;
}

export interface ModelSpending {
  readonly requests: number;
  /** Input and output. */
  readonly tokens: number;
  /** Null: there are no prices. */
  readonly costUsd: number | null;
}

export interface AskedQuestion {
  readonly runId: string;
  readonly id: string;
  readonly action: string;
  /** When it counts as denied, ISO 8601. */
  readonly answerBy: string;
}

export const NO_OBSERVER: RunObserver = {
  onStarted: () => {},
  activity: () => {},
  engineEvent: () => {},
  spent: () => {},
  note: () => {},
  question: () => {},
};
