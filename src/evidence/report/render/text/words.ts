import type { Completion, Isolation, Status } from '../../../schema/parts.ts';
import type { Report } from '../../../schema/report.ts';

export function durationText(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit]}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`;
}

export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A moment of the timeline: `+12.345 s`. */
export function momentOfRun(ms: number): string {
  return `+${(ms / 1000).toFixed(3)} s`;
}

/** `2026-11-15T23:41:00.123Z` → `2026-11-15 23:41:00 UTC`. */
export function momentText(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

export const STATUS_WORD: Readonly<Record<Status, string>> = { pass: 'Pass', fail: 'Fail', blocked: 'Blocked' };

export const STATUS_MEANING: Readonly<Record<Status, string>> = {
  pass: 'The change was made and the tests that decide confirm it.',
  fail: 'The run went ahead and did not prove the change.',
  blocked: 'No verdict was possible: something refused, was missing or broke.',
};

export const ADMISSION_WORD: Readonly<Record<Report['source_admission_status'], string>> = {
  admitted: 'admitted',
  not_admitted: 'not admitted',
};

export const ISOLATION_WORD: Readonly<Record<Isolation, string>> = {
  black_box: 'black box',
  blinded: 'blinded',
  checked: 'checked',
  in_process: 'in process',
  exit_code: 'exit code only',
};

export const ISOLATION_MEANING: Readonly<Record<Isolation, string>> = {
  black_box: 'Asserts and code under test ran in separate sandboxes with only plain values between them.',
  blinded: 'Part of the expected values was secretly altered, so a result that was not computed gives itself away.',
  checked: 'The tests share a process with the code, and were shown for this patch to fail when they must.',
  in_process: "Code under test shared the judge's process; a hostile patch could forge this.",
  exit_code: 'The command reported no tests; only its exit code was read.',
};

const COMPLETION_WORD: Readonly<Record<Completion, string>> = {
  exited: 'ended by itself',
  timed_out: 'ran into its time limit',
  completed_by_harness: 'ended by the harness after the committed proof',
  turn_over: 'ended by the harness after its turn was over',
  not_started: 'never started',
};

/** How an engine ended. One that left no exit code was not let finish. */
export function endingText(completion: Completion, exitCode: number | null): string {
  if (exitCode !== null) return `${COMPLETION_WORD[completion]}, exit code ${exitCode}`;
  return completion === 'exited' ? 'was ended from outside' : COMPLETION_WORD[completion];
}
