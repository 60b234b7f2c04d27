import type { OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/** File system timestamps are coarser than our clock, and the clock may be adjusted during a run. */
const CLOCK_SLACK_MS = 2000;

/** Everything in the bundle was made by this run, between its start and its seal. */
export function checkFreshness({ report, manifest, attestation, events }: OpenedBundle, now: Date): VerifyCheck {
  if (!report.ok) return verifyCheck('freshness', ['report.json cannot be read'], '');
  const { run_id, freshness, run_started_at, run_ended_at } = report.value;
  const found: string[] = [];
  const [first] = events.entries;
  if (first?.type !== 'run.started') found.push('the first event is not run.started');
  else {
    if (first.data.nonce !== freshness.nonce) found.push('the nonce of run.started differs from report.json');
    if (first.data.run_id !== run_id) found.push(`run.started belongs to another run (${first.data.run_id})`);
    if (first.data.started_at !== freshness.started_at)
      found.push('the start time in run.started differs from report.json');
  }
  if (manifest.ok && manifest.value.run_id !== run_id)
    found.push(`manifest.json belongs to another run (${manifest.value.run_id})`);
  if (attestation.kind === 'signed' && attestation.statement.subject[0].annotations.nonce !== freshness.nonce) {
    found.push('the nonce of attestation.json differs from report.json');
  }
  if (run_started_at !== freshness.started_at) found.push('report.json has two different start times');
  const from = Date.parse(freshness.started_at) - CLOCK_SLACK_MS;
  const to = Date.parse(freshness.sealed_at ?? freshness.started_at) + CLOCK_SLACK_MS;
  const outside = (time: string): boolean => !(Date.parse(time) >= from && Date.parse(time) <= to);
  if (to < from) found.push('report.json was sealed before it started');
  if (run_ended_at !== null && outside(run_ended_at)) found.push('run_ended_at is outside the run');
  if (to - CLOCK_SLACK_MS > now.getTime() + CLOCK_SLACK_MS) found.push('report.json was sealed in the future');
  for (const event of events.entries) {
    if (outside(event.time)) found.push(`event ${event.seq} (${event.type}) is outside the run: ${event.time}`);
  }
  for (const file of manifest.ok ? manifest.value.files : []) {
    if (outside(file.modified_at)) found.push(`${file.path} was written outside the run: ${file.modified_at}`);
  }
  const holds = `a single nonce; all events and files are from between ${freshness.started_at} and ${freshness.sealed_at}`;
  return verifyCheck('freshness', found, holds);
}
