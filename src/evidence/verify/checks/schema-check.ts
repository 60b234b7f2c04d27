import { CONTROL_DIR, REPORT_FILE } from '../../bundle/bundle.ts';
import { EVENTS_FILE } from '../../log/events.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from '../../bundle/manifest.ts';
import { BASE_RECORD_FILE } from '../../schema/base-record.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { eligibility } from '../../schema/eligibility.ts';
import { noTargetInspection } from '../../schema/no-target.ts';
import type { Report } from '../../schema/report.ts';
import { traceLine } from '../../schema/trace.ts';
import { TRACE_FILE } from '../../log/trace.ts';
import { parseBytes, type Schema } from '../../schema/document.ts';
import { contentOf, type OpenedBundle, parseDocument } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/** Optional documents; required ones are parsed when the bundle is opened. */
const DOCUMENTS: readonly (readonly [path: string, schema: Schema<OfRun>])[] = [
  ['eligibility.json', eligibility],
  ['stage2-no-target-inspection.json', noTargetInspection],
];

interface OfRun {
  readonly run_id: string;
  readonly nonce?: string;
}

/** Files whose content a check needs, not just their digest. */
export function isKnownDocument(path: string): boolean {
  const nested = `${CONTROL_DIR}/`;
  const name = path.startsWith(nested) ? path.slice(nested.length) : path;
  return KNOWN.has(name);
}

const KNOWN: ReadonlySet<string> = new Set([
  REPORT_FILE,
  MANIFEST_FILE,
  ATTESTATION_FILE,
  EVENTS_FILE,
  CONTRACT_FILE,
  BASE_RECORD_FILE,
  TRACE_FILE,
  ...DOCUMENTS.map(([path]) => path),
]);

export function checkSchemas(bundle: OpenedBundle): VerifyCheck {
  const { files, report, manifest } = bundle;
  const found: string[] = [];
  let documents = 3;
  if (!report.ok) found.push(`report.json: ${report.fault}`);
  if (!manifest.ok) found.push(`manifest.json: ${manifest.fault}`);
  for (const [path, schema] of DOCUMENTS) {
    if (!files.has(path)) continue;
    documents += 1;
    const parsed = parseDocument(files, path, schema);
    if (!parsed.ok) found.push(`${path}: ${parsed.fault}`);
    else if (report.ok && !isOf(parsed.value, report.value)) found.push(`${path} belongs to another run`);
  }
  found.push(...traceFaults(contentOf(files, TRACE_FILE)));
  return verifyCheck('schema', found, `documents (${documents}), events and trace match their schemas`);
}

function isOf({ run_id, nonce }: OfRun, report: Report): boolean {
  return run_id === report.run_id && (nonce === undefined || nonce === report.freshness.nonce);
}

function traceFaults(trace: Buffer | null): readonly string[] {
  const lines = trace?.toString('utf8').split('\n') ?? [];
  return lines.slice(0, -1).flatMap((line, index) => {
    const parsed = parseBytes(Buffer.from(line), traceLine);
    return parsed.ok ? [] : [`${TRACE_FILE} line ${index + 1}: ${parsed.fault}`];
  });
}
