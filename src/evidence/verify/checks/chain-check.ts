import { EVENTS_FILE } from '../../log/events.ts';
import type { OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/** The event chain is intact, and its head matches the report and the signature. */
export function checkChain({ files, events, report, attestation }: OpenedBundle): VerifyCheck {
  const found: string[] = [];
  if (!files.has(EVENTS_FILE)) found.push(`${EVENTS_FILE} is missing`);
  if (events.fault !== null) found.push(`${EVENTS_FILE} line ${events.fault.line}: ${events.fault.text}`);
  if (report.ok && report.value.freshness.chain_head !== events.head) {
    found.push('the chain head in report.json is not the last event');
  }
  if (attestation.kind === 'signed' && attestation.statement.subject[0].annotations.chain_head !== events.head) {
    found.push('the chain head in attestation.json is not the last event');
  }
  return verifyCheck(
    'chain',
    found,
    `the event chain is intact (events: ${events.entries.length}); the signed head is the last event`,
  );
}
