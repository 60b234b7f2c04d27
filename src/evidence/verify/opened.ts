import { openAttestation, type OpenedAttestation } from '../bundle/attestation.ts';
import { REPORT_FILE } from '../bundle/bundle.ts';
import type { DecodedChain } from '../log/chain.ts';
import { decodeEvents, EVENTS_FILE } from '../log/events.ts';
import type { FileTreeFault, TreeFile } from '../storage/file-tree.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from '../bundle/manifest.ts';
import { manifest as manifestSchema, type Manifest } from '../schema/bundle.ts';
import type { RunEvent } from '../schema/events.ts';
import { parseBytes, type Parsed, type Schema } from '../schema/document.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';

/** A bundle in memory: every file read once, every document parsed once. Input of all checks. */
export interface OpenedBundle {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly faults: readonly FileTreeFault[];
  readonly report: Parsed<Report>;
  readonly manifest: Parsed<Manifest>;
  readonly attestation: OpenedAttestation;
  readonly events: DecodedChain<RunEvent>;
}

export function openBundle(files: ReadonlyMap<string, TreeFile>, faults: readonly FileTreeFault[]): OpenedBundle {
  const sealed = contentOf(files, ATTESTATION_FILE);
  return {
    files,
    faults,
    report: parseDocument(files, REPORT_FILE, reportSchema),
    manifest: parseDocument(files, MANIFEST_FILE, manifestSchema),
    attestation: sealed === null ? { kind: 'refused', fault: 'is missing' } : openAttestation(sealed),
    events: decodeEvents(contentOf(files, EVENTS_FILE) ?? Buffer.alloc(0)),
  };
}

export function contentOf(files: ReadonlyMap<string, TreeFile>, path: string): Buffer | null {
  return files.get(path)?.content ?? null;
}

export function parseDocument<T>(files: ReadonlyMap<string, TreeFile>, path: string, schema: Schema<T>): Parsed<T> {
  const content = contentOf(files, path);
  return content === null ? { ok: false, fault: 'is missing' } : parseBytes(content, schema);
}
