import { reason } from '../../evidence/reasons/catalogue.ts';
import { type AdmissionCheck, passedCheck, refusedCheck } from './check.ts';
import {
  admittedExecutable,
  admittedSource,
  type AdmissionFacts,
  type ExecutableFact,
  isArtificial,
  stageOf,
  timeLimitSeconds,
} from '../facts.ts';
import { ARTIFICIAL, FIRST_STAGE_TO_RUN, STAGE_REPOSITORIES, STAGE_SCOPES } from '../stage-scopes.ts';
import type { AdmissionPolicy, ProgramSource } from '../../engines/policy.ts';
import { providerNamed } from '../../engines/providers.ts';
import { quoted } from '../records/quote.ts';
import { faultAbout } from '../records/read.ts';

/** A check that an engine's policy may require; null if it does not. */
export type EngineCheck = (facts: AdmissionFacts, policy: AdmissionPolicy) => AdmissionCheck | null;

export const checkEnabled: EngineCheck = ({ engine, enabled }, { enabledBy }) => {
  const refusal = { gate: 'enabled', reason: reason('engine_not_enabled', { engine }) };
  switch (enabled) {
    case 'yes':
      return passedCheck('enabled', enabledBy === null ? 'by the settings' : `${enabledBy} is 1`);
    case 'variable not set':
      return refusedCheck({ ...refusal, detail: `${enabledBy} is not 1`, next: `set ${enabledBy}=1` });
    case 'disabled by settings':
      return refusedCheck({
        ...refusal,
        detail: 'seatrial.toml disables it',
        next: `remove \`enabled = false\` from [engines.${engine}] in seatrial.toml`,
      });
  }
};

export const checkStage: EngineCheck = (facts, { stage: ladder }) => {
  if (ladder === null) return null;
  const { variable, earnedBy } = ladder;
  const { named, earned } = facts.stage;
  const stage = stageOf(facts);
  if (stage === null)
    return refusedCheck({
      gate: 'stage',
      reason: reason('stage_not_set'),
      detail: named === null ? `${variable} names no stage` : `${variable} is ${quoted(named)}, which is not a stage`,
      next: `set ${variable} to a stage from ${FIRST_STAGE_TO_RUN} to 6`,
    });
  if (stage < FIRST_STAGE_TO_RUN)
    return refusedCheck({
      gate: 'stage',
      reason: reason('stage_not_set'),
      detail: `${variable} is ${stage}; below stage ${FIRST_STAGE_TO_RUN} only the checks start ${facts.engine}`,
      next: `${earnedBy === null ? 'admit program and model' : `earn stage 1 with \`seatrial check ${earnedBy}\``}, then set ${variable}=${FIRST_STAGE_TO_RUN}`,
    });
  return earned < stage - 1
    ? refusedCheck({
        gate: 'stage',
        reason: reason('stage_not_earned', { stage: stage - 1 }),
        detail: `stage ${stage} needs stage ${stage - 1}; the highest earned stage is ${earned}`,
        next:
          earned === 0 && earnedBy !== null
            ? `earn it with this executable: \`seatrial check ${earnedBy}\``
            : `earn stage ${earned + 1} first: \`seatrial stage\` shows what is missing`,
      })
    : passedCheck('stage', `stage ${stage}`);
};

/** Each stage admits its own scope and nothing else. */
export const checkMutation: EngineCheck = (facts, { stage: ladder }) => {
  const { task, engine } = facts;
  const stage = stageOf(facts);
  if (ladder === null || task === null || stage === null) return null;
  const scope = STAGE_SCOPES[stage] ?? 'none';
  const refusal = { gate: 'mutation', reason: reason('mutation_out_of_scope', { scope: task.mutation }) };
  if (task.mutation !== scope)
    return refusedCheck({
      ...refusal,
      detail: `stage ${stage} admits "${scope}", and ${task.name} asks for "${task.mutation}"`,
      next:
        scope === ARTIFICIAL
          ? 'run a built-in task, such as r1-string-slugify'
          : `run a task whose scope is "${scope}"`,
    });
  const wanted = STAGE_REPOSITORIES[stage];
  if (wanted !== undefined && facts.repository !== wanted)
    return refusedCheck({
      ...refusal,
      detail: `${task.repository ?? task.name} ${wanted === 'sandbox' ? 'is not a sandbox that Seatrial made' : 'is not listed as owned and noncritical'}`,
      next:
        wanted === 'sandbox'
          ? 'declare a batch with `seatrial stage declare --to 4`: it makes the sandbox'
          : 'if it is yours and not critical, list it: `seatrial stage own <repository>`',
    });
  if (scope !== ARTIFICIAL || isArtificial(facts)) return passedCheck('mutation', scope);
  return refusedCheck({
    ...refusal,
    detail: `${task.name} calls itself artificial, but is neither built in nor admitted (digest ${task.sha256})`,
    next: `if you have read all of it: \`seatrial admit task <its directory> --engine ${engine}\``,
  });
};

export const checkConfined: EngineCheck = ({ engine, confined }, { stage }) => {
  if (stage === null) return null;
  return confined
    ? passedCheck('confined', 'in a sandbox')
    : refusedCheck({
        gate: 'confined',
        reason: reason('confinement_required', { engine }),
        detail: `--confine none would let ${engine} reach the whole machine`,
        next: 'leave out --confine none',
      });
};

const SOURCE_NEEDED_FROM = 3;

export const checkSource: EngineCheck = (facts, policy) => {
  if (policy.stage === null || policy.executable === null) return null;
  const source = admittedSource(facts);
  const found = source === null ? 'not admitted' : `${source.id} at ${source.commit ?? source.tag}`;
  const isNeeded = (stageOf(facts) ?? 0) >= SOURCE_NEEDED_FROM || (facts.task !== null && !isArtificial(facts));
  if (!isNeeded) return passedCheck('source', `${found}; needed from stage ${SOURCE_NEEDED_FROM}`);
  const refusal = { gate: 'source', reason: reason('source_not_admitted') };
  const fault = faultAbout('source', facts);
  if (fault !== null) return refusedCheck({ ...refusal, ...fault });
  if (source !== null) return passedCheck('source', found);
  const program = admittedExecutable(facts);
  const built = `which was built from ${program?.source ?? 'no named source'} at ${program?.source_commit ?? 'no known commit'}`;
  return refusedCheck({
    ...refusal,
    detail: `no record admits the source of ${facts.engine}${program === null ? '' : `, ${built}`}`,
    next: `record it with \`seatrial admit source --engine ${facts.engine} …\``,
  });
};

export const checkExecutable: EngineCheck = (facts, { executable: source }) => {
  if (source === null) return null;
  const { executable, engine } = facts;
  if (executable.state === 'temporary')
    return refusedCheck({
      gate: 'executable',
      reason: reason('executable_not_admitted'),
      detail: `${executable.path} is in the temporary directory ${executable.dir}`,
      next: `install it in a permanent place, then \`seatrial admit executable <path> --engine ${engine}\``,
    });
  if (executable.state === 'not named' || executable.state === 'unusable')
    return refusedCheck({
      gate: 'executable',
      reason: reason('provider_unavailable'),
      ...missing(executable, source),
    });
  const refusal = { gate: 'executable', reason: reason('executable_not_admitted') };
  const fault = faultAbout('executable', facts);
  if (fault !== null) return refusedCheck({ ...refusal, ...fault });
  if (executable.state === 'present' && admittedExecutable(facts) !== null)
    return passedCheck('executable', `sha256 ${executable.sha256}`);
  return refusedCheck({
    ...refusal,
    detail:
      executable.state === 'present'
        ? `no record admits ${executable.path} with sha256 ${executable.sha256}`
        : `no record admits ${executable.path}`,
    next:
      source.from === 'path'
        ? `if you trust it: \`${admitEngineCommand(facts)}\``
        : `if you trust it: \`seatrial admit executable ${executable.path} --engine ${engine}\``,
  });
};

function missing(
  executable: ExecutableFact,
  source: ProgramSource,
): { readonly detail: string; readonly next: string } {
  const detail = executable.state === 'unusable' ? `${executable.path} ${executable.why}` : null;
  return source.from === 'variable'
    ? {
        detail: detail ?? `${source.variable} names no executable`,
        next: `set ${source.variable} to the path of an admitted executable`,
      }
    : {
        detail: detail ?? `${source.program} is neither on PATH nor where it is usually installed`,
        next: `\`${source.install}\`, or add its directory to PATH`,
      };
}

/** The one command that admits program and model of an engine that people install. */
export function admitEngineCommand({
  engine,
  model,
  policy,
}: Pick<AdmissionFacts, 'engine' | 'model' | 'policy'>): string {
  const { provider, name } = model;
  const named = name === null ? exampleModel(policy) : [provider ?? [], name].flat().join('/');
  const address = provider !== null && providerNamed(provider) === null ? ' --endpoint-variable <NAME>' : '';
  return `seatrial admit engine ${engine} --model ${named}${address}`;
}

/** Where the engine has a provider of its own, the name of a model is enough. */
function exampleModel(policy: AdmissionPolicy | null): string {
  const source = policy?.model;
  if (source?.from !== 'flag' || source.provider === null) return '<provider>/<model>';
  return Object.keys(source.aliases)[0] ?? '<model>';
}

export const checkTimeLimit: EngineCheck = (facts, { timeLimit: variable }) => {
  if (variable === null || facts.timeLimit === null) return null;
  const seconds = timeLimitSeconds(facts);
  if (seconds !== null) return passedCheck('time limit', `${variable} is ${seconds} s`);
  return refusedCheck({
    gate: 'time limit',
    reason: reason('invalid_time_limit'),
    detail: `${variable} is ${quoted(facts.timeLimit)}, which is not a number of seconds`,
    next: `set ${variable} to a whole number of seconds, at least 1, or unset it`,
  });
};
