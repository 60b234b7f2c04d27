import { gatherAdmissionFacts } from '../../../admission/gather.ts';
import { chooseEngine } from '../../../engines/list.ts';
import { policyOf } from '../../../admission/policy.ts';
import { REQUIRED_STAGE } from '../../../engines/policy.ts';
import type { Environment } from '../../../evidence/bundle/keys.ts';
import type { Engine } from '../../../engines/definition.ts';
import type { ComparisonPlan, PlannedEngine } from '../../../evidence/comparison/schema.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { RunEnvironment } from '../../../run/request.ts';
import { callerOf, createRunEnvironment } from '../../environment/run-environment.ts';
import type { Settings } from '../../environment/settings.ts';
import type { EngineChoice } from './flags.ts';
import type { ComparedTask } from './sources.ts';

/** An engine as it is on this machine now, for the plan. */
export function planEngine({ label, engine, model, options }: EngineChoice, settings: Settings): PlannedEngine {
  const requested = model === null ? undefined : { engine, name: model };
  const facts = gatherAdmissionFacts(engine, callerOf(settings, process.env, requested));
  const { provider, name } = facts.model;
  return {
    label,
    engine,
    model: provider === null || name === null ? model : `${provider}/${name}`,
    options: { ...options },
    executable_sha256: facts.executable.state === 'present' ? facts.executable.sha256 : null,
  };
}

/** What an engine of the plan runs with. */
export interface ReadyEngine {
  readonly engine: Engine;
  readonly environment: RunEnvironment;
}

export interface ComparisonPlace {
  readonly settings: Settings;
  /** Where the bundles go. */
  readonly runsDir: string;
  /** The runs directory around the comparison. */
  readonly outer: string;
  readonly approvals?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
}

export function readyEngine(
  planned: PlannedEngine,
  { budgets, stage }: ComparisonPlan,
  place: ComparisonPlace,
): ReadyEngine {
  const { settings, runsDir, outer, approvals, workspace } = place;
  return {
    engine: chooseEngine(planned.engine, planned.options, {}, settings.acpProfiles),
    environment: createRunEnvironment(settings, {
      confine: 'bubblewrap',
      runsDir,
      earnedIn: outer,
      ...(stage === undefined ? {} : { env: atStage(stage, planned.engine, settings) }),
      budgets: {
        max_requests: budgets.max_requests ?? undefined,
        max_tokens: budgets.max_tokens ?? undefined,
        max_cost_usd: budgets.max_cost_usd ?? undefined,
      },
      ...(approvals === undefined ? {} : { approvals }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(planned.model === null ? {} : { model: { engine: planned.engine, name: planned.model } }),
    }),
  };
}

/** The caller's variables, with the stage that a batch was declared for. */
export function atStage(stage: number, engine: string, { acpProfiles }: Settings): Environment {
  const variable = policyOf(engine, acpProfiles)?.stage?.variable ?? REQUIRED_STAGE.variable;
  return { ...process.env, [variable]: String(stage) };
}

/** Reported before anything runs. */
export function refuseMissingOracles(
  engines: readonly PlannedEngine[],
  tasks: readonly ComparedTask[],
  { acpProfiles }: Settings,
): void {
  const oracle = engines.find(({ engine, options }) => chooseEngine(engine, options, {}, acpProfiles).usesOracle);
  const task = tasks.find(({ asked }) => asked.solutionDir === null);
  if (oracle !== undefined && task !== undefined)
    throw new SeatrialError(
      'usage',
      `${task.name} has no oracle (solution/solve.sh) for ${oracle.engine} to run; leave ${oracle.engine} out of --engines`,
    );
}
