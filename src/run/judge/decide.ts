import type { SandboxResult } from '../../confine/types.ts';
import type { ChannelReading } from './sandbox/channel.ts';
import type { FailedCommand } from './types.ts';

/** All that a verdict rests on. */
export interface JudgeFacts {
  readonly end: SandboxResult;
  readonly channel: ChannelReading;
  readonly expected: readonly string[] | null;
  /** Black box only: how the sandbox of the code under test ended, if it did so while tests still ran. */
  readonly subjectEnd: SandboxResult | null;
  readonly interrupted: boolean;
  /** Tests that were not asked for ran along and failed: the exit code is theirs. */
  readonly othersFailed?: boolean;
  /** Commands around the tests that failed. */
  readonly failedCommands?: readonly FailedCommand[];
}

export interface Decision {
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** The first is the reason. Empty exactly when the verdict is a pass. */
  readonly faults: readonly string[];
  /** Those of the faults that are about the run itself and not about what tests said. */
  readonly protocolFaults: readonly string[];
}

export const MISSING_COMMAND = 'missing test command';
export const TESTS_FAILED = 'tests failed';
export const HIDES_FAILURES = 'test command hides failures';

/**
 * A pass needs all of it: exit 0, an end that the runner announced itself, nothing that contradicts, every expected
 * test reported passed. Exit 0 alone proves nothing: `os._exit(0)` exits 0.
 */
export function decide(facts: JudgeFacts): Decision {
  const blocked = blockers(facts);
  if (blocked.length > 0) return { verdict: 'blocked', faults: blocked, protocolFaults: blocked };
  const how = [...cutShort(facts.end), ...tampering(facts)];
  const early = facts.subjectEnd === null ? [] : ['the code under test ended before the tests did'];
  const commands = (facts.failedCommands ?? []).map(commandFault);
  const faults = [...how, ...failures(facts), ...silence(facts), ...unannounced(facts), ...commands, ...early];
  if (faults.length === 0 && facts.othersFailed !== true) faults.push(...exitFault(facts.end));
  const protocolFaults = [...how, ...unannounced(facts), ...early];
  return { verdict: faults.length === 0 ? 'pass' : 'fail', faults, protocolFaults };
}

export function commandFault({ text, how }: FailedCommand): string {
  return `command failed: ${text} (${how})`;
}

function blockers({ end, channel, subjectEnd, interrupted }: JudgeFacts): string[] {
  if (interrupted) return ['interrupted'];
  if (channel.missing !== null && channel.tests.length === 0) return [`not installed: ${channel.missing}`];
  if (end.kind === 'not_run') return [`the tests could not be started: ${end.detail}`];
  if (subjectEnd?.kind === 'not_run') return [`the code under test could not be started: ${subjectEnd.detail}`];
  return [];
}

function cutShort(end: SandboxResult): string[] {
  switch (end.kind) {
    case 'timed_out':
      return ['tests timed out'];
    case 'over_limit':
      return [`tests went over the limit: ${end.limit}`];
    case 'killed':
      return ['tests were killed'];
    case 'exited':
    case 'not_run':
      return [];
    default:
      return end satisfies never;
  }
}

function tampering({ end, channel }: JudgeFacts): string[] {
  if (channel.tampered !== null) return [`test channel tampered: ${channel.tampered}`];
  if (end.kind === 'exited' && channel.done !== null && channel.done !== end.exitCode) {
    return [`test channel tampered: it announced exit code ${channel.done}, the runner exited with ${end.exitCode}`];
  }
  return [];
}

function failures({ channel, expected }: JudgeFacts): string[] {
  const faults: string[] = [];
  if (channel.tests.some(({ outcome }) => outcome === 'failed' || outcome === 'error')) faults.push(TESTS_FAILED);
  const wanted = new Set(expected ?? []);
  const skipped = channel.tests.filter(({ id, outcome }) => outcome === 'skipped' && wanted.has(id)).length;
  if (skipped > 0) faults.push(`expected tests skipped: ${skipped}`);
  return faults;
}

function silence({ channel, expected }: JudgeFacts): string[] {
  const faults: string[] = [];
  const reported = new Set(channel.tests.map(({ id }) => id));
  const unreported = (expected ?? []).filter((id) => !reported.has(id)).length;
  if (unreported > 0) faults.push(`expected tests not reported: ${unreported}`);
  if (unreported === 0 && !channel.tests.some(({ outcome }) => outcome !== 'skipped')) faults.push('no tests ran');
  return faults;
}

function unannounced({ end, channel }: JudgeFacts): string[] {
  return end.kind === 'exited' && channel.done === null && channel.tampered === null
    ? ['test channel tampered: the runner ended without saying so']
    : [];
}

function exitFault(end: SandboxResult): string[] {
  return end.kind === 'exited' && end.exitCode !== 0 ? [`the test runner exited with code ${end.exitCode}`] : [];
}
