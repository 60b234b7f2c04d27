import { EVENTS_FILE } from '../log/events.ts';
import type { OpenedBundle } from './opened.ts';
import { type VerifyCheck, verifyCheck } from './types.ts';

/** The event chain is intact, and its head matches the report and the signature. */
export function checkChain({ files, events, report, attestation }: OpenedBundle): VerifyCheck {
  const found: string[] = [];
  if (!files.has(EVENTS_FILE)) found.push(`${EVENTS_FILE} is missing`);
  if (events.fault !== null) found.push(`${EVENTS_FILE} line ${events.fault.line}: ${events.fault.text}`);
  if (report.ok && report.value.freshness.chain_head !== events.head) {
    found.push('report.json names another chain head than the last event');
  }
  if (attestation.kind === 'signed' && attestation.statement.subject[0].annotations.chain_head !== events.head) {
    found.push('attestation.json names another chain head than the last event');
  }
  return verifyCheck(
    'chain',
    found,
    `each event follows from the one before it (events: ${events.entries.length}); the signed head is the last`,
  );
}
