import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { REPORT_FILE } from './bundle.ts';
import { readFileTree } from '../storage/file-tree.ts';
import type { Manifest } from '../schema/bundle.ts';

export const MANIFEST_FILE = 'manifest.json';
export const ATTESTATION_FILE = 'attestation.json';
/** The report's name until the rename that commits it. */
export const PENDING_REPORT_FILE = `${REPORT_FILE}.tmp`;

/** Files that the manifest cannot list: itself and the attestation that signs it. */
export const isOutsideManifest = (path: string): boolean => path === MANIFEST_FILE || path === ATTESTATION_FILE;

/** Lists the bundle's files as they will be after the commit: the pending report appears under its final name. */
export function buildManifest(dir: string, runId: string): Manifest {
  const { files, faults } = readFileTree(dir);
  const [fault] = faults;
  if (fault !== undefined) {
    throw new SeatrialError('evidence', `cannot seal ${dir}: ${fault.path} ${fault.text}; remove it and seal again`);
  }
  if (!files.some(({ path }) => path === PENDING_REPORT_FILE)) {
    throw new SeatrialError('evidence', `cannot seal ${dir}: its final report (${PENDING_REPORT_FILE}) is missing`);
  }
  const listed = files
    .filter(({ path }) => !isOutsideManifest(path) && path !== REPORT_FILE)
    .map(({ path, sha256, bytes, modifiedAt }) => ({
      path: path === PENDING_REPORT_FILE ? REPORT_FILE : path,
      sha256,
      bytes,
      modified_at: modifiedAt,
    }));
  listed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { schema_version: 1, run_id: runId, files: listed };
}

export function manifestBytes(manifest: Manifest): Buffer {
  return Buffer.from(prettyJson(manifest));
}
