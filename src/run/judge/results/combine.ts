import type { SandboxResult } from '../../../confine/types.ts';
import type { JudgeFacts } from '../decide.ts';
import type { ChannelReading } from '../sandbox/channel.ts';
import type { SeenTest } from '../types.ts';

/** How one runner of a test command went. */
export interface RunnerRun {
  /** Prefix of its ids, if a command has several runners; otherwise null. */
  readonly label: string | null;
  readonly end: SandboxResult;
  readonly subjectEnd: SandboxResult | null;
  readonly channel: ChannelReading;
}

type RunFacts = Pick<JudgeFacts, 'end' | 'channel' | 'subjectEnd' | 'othersFailed'>;

/** The runners of one command, combined into one result. `only`: the requested tests; null: all. Needs at least one run. */
export function combineRuns(runs: readonly RunnerRun[], only: readonly string[] | null): RunFacts {
  const [first, ...others] = runs.map(withLabel);
  if (first === undefined) throw new Error('no runner ran');
  const { end, channel, subjectEnd } = others.length === 0 ? first : [first, ...others].reduce(join);
  const tests = only === null ? channel.tests : channel.tests.filter(({ id }) => isAskedFor(id, only));
  const isFailure = ({ outcome }: SeenTest): boolean => outcome === 'failed' || outcome === 'error';
  const othersFailed = channel.tests.some((test) => isFailure(test) && !tests.includes(test));
  return { end, channel: { ...channel, tests }, subjectEnd, othersFailed };
}

/** The ids that must be reported for the requested ones: for a whole file or package, any of its tests is enough. */
export function idsDue(only: readonly string[], seen: readonly SeenTest[]): readonly string[] {
  return only.filter((id) => !seen.some((test) => test.id !== id && isBelow(test.id, id)));
}

/** `a.test.js` was once reported as broken; now its tests are reported. */
function isAskedFor(id: string, only: readonly string[]): boolean {
  return only.some((wanted) => id === wanted || isBelow(id, wanted));
}

function isBelow(id: string, holder: string): boolean {
  return id.startsWith(`${holder}::`) || id.startsWith(`${holder}.`);
}

function withLabel(run: RunnerRun): RunnerRun {
  const { label, channel, end } = run;
  const isContradiction = end.kind === 'exited' && channel.done !== null && channel.done !== end.exitCode;
  if (label === null) return run;
  const tampered =
    channel.tampered ??
    (isContradiction ? `it announced exit code ${channel.done}, the runner exited with ${end.exitCode}` : null);
  const tests = channel.tests.map((test) => ({ ...test, id: `${label}: ${test.id}` }));
  return { ...run, channel: { ...channel, tests, tampered: tampered === null ? null : `${label}: ${tampered}` } };
}

/** Every runner must reach its end: if one did not, neither did the combination. */
function join(one: RunnerRun, other: RunnerRun): RunnerRun {
  const worse = isClean(one.end) ? other.end : one.end;
  const isDone = one.channel.done !== null && other.channel.done !== null;
  return {
    label: null,
    end: { ...worse, durationMs: one.end.durationMs + other.end.durationMs },
    subjectEnd: one.subjectEnd ?? other.subjectEnd,
    channel: {
      tests: [...one.channel.tests, ...other.channel.tests],
      collected: [...new Set([...one.channel.collected, ...other.channel.collected])].sort(),
      done: isDone ? (worse.kind === 'exited' ? worse.exitCode : 0) : null,
      missing: one.channel.missing ?? other.channel.missing,
      runnerErrors: [...one.channel.runnerErrors, ...other.channel.runnerErrors],
      tampered: one.channel.tampered ?? other.channel.tampered,
      exitCodeOnly: one.channel.exitCodeOnly && other.channel.exitCodeOnly,
    },
  };
}

function isClean(end: SandboxResult): boolean {
  return end.kind === 'exited' && end.exitCode === 0;
}
