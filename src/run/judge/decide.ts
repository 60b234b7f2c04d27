import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
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
  readonly faults: readonly Reason[];
  /** Those of the faults that are about the run itself and not about what tests said. */
  readonly protocolFaults: readonly Reason[];
}

/**
 * A pass needs all of it: exit 0, an end that the runner announced itself, nothing that contradicts, every expected
 * test reported passed. Exit 0 alone proves nothing: `os._exit(0)` exits 0.
 */
export function decide(facts: JudgeFacts): Decision {
  const blocked = blockers(facts);
  if (blocked.length > 0) return { verdict: 'blocked', faults: blocked, protocolFaults: blocked };
  const how = [...cutShort(facts.end), ...tampering(facts)];
  const early = facts.subjectEnd === null ? [] : [reason('subject_ended_early')];
  const commands = (facts.failedCommands ?? []).map(commandFault);
  const faults = [...how, ...failures(facts), ...silence(facts), ...unannounced(facts), ...commands, ...early];
  if (faults.length === 0 && facts.othersFailed !== true) faults.push(...exitFault(facts.end));
  const protocolFaults = [...how, ...unannounced(facts), ...early];
  return { verdict: faults.length === 0 ? 'pass' : 'fail', faults, protocolFaults };
}

export function commandFault({ text, how }: FailedCommand): Reason {
  return reason('test_step_failed', { command: text, how });
}

function blockers({ end, channel, subjectEnd, interrupted }: JudgeFacts): Reason[] {
  if (interrupted) return [reason('interrupted')];
  if (channel.missing !== null && channel.tests.length === 0)
    return [reason('not_installed', { program: channel.missing })];
  if (end.kind === 'not_run') return [reason('tests_not_started', { why: end.detail })];
  if (subjectEnd?.kind === 'not_run') return [reason('subject_not_started', { why: subjectEnd.detail })];
  return [];
}

function cutShort(end: SandboxResult): Reason[] {
  switch (end.kind) {
    case 'timed_out':
      return [reason('tests_timed_out')];
    case 'over_limit':
      return [reason('tests_over_limit', { limit: end.limit })];
    case 'killed':
      return [reason('tests_killed')];
    case 'exited':
    case 'not_run':
      return [];
    default:
      return end satisfies never;
  }
}

function tampering({ end, channel }: JudgeFacts): Reason[] {
  if (channel.tampered !== null) return [tampered(channel.tampered)];
  if (end.kind === 'exited' && channel.done !== null && channel.done !== end.exitCode) {
    return [tampered(`it announced exit code ${channel.done}, the runner exited with ${end.exitCode}`)];
  }
  return [];
}

function failures({ channel, expected }: JudgeFacts): Reason[] {
  const faults: Reason[] = [];
  if (channel.tests.some(({ outcome }) => outcome === 'failed' || outcome === 'error'))
    faults.push(reason('tests_failed'));
  const wanted = new Set(expected ?? []);
  const skipped = channel.tests.filter(({ id, outcome }) => outcome === 'skipped' && wanted.has(id)).length;
  if (skipped > 0) faults.push(reason('expected_tests_skipped', { n: skipped }));
  return faults;
}

function silence({ channel, expected }: JudgeFacts): Reason[] {
  const faults: Reason[] = [];
  const reported = new Set(channel.tests.map(({ id }) => id));
  const unreported = (expected ?? []).filter((id) => !reported.has(id)).length;
  if (unreported > 0) faults.push(reason('expected_tests_missing', { n: unreported }));
  if (unreported === 0 && !channel.tests.some(({ outcome }) => outcome !== 'skipped'))
    faults.push(reason('no_tests_ran'));
  return faults;
}

function unannounced({ end, channel }: JudgeFacts): Reason[] {
  return end.kind === 'exited' && channel.done === null && channel.tampered === null
    ? [tampered('the runner ended without saying so')]
    : [];
}

function exitFault(end: SandboxResult): Reason[] {
  return end.kind === 'exited' && end.exitCode !== 0 ? [reason('runner_exit_code', { exit: end.exitCode })] : [];
}

const tampered = (how: string): Reason => reason('test_channel_tampered', { how });
