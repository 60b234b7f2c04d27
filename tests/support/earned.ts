import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrCreateKey } from '../../src/evidence/bundle/keys.ts';
import { digestFile } from '../../src/evidence/storage/file-tree.ts';
import { buildDigest, keepCheckReport } from '../../src/stages/check-report.ts';
import type { Place } from './seatrial.ts';

/** Leaves what a passing `seatrial check case-provider-adapter` would; that takes a minute. */
export function earnStageOne({ runs, home }: Place, program: string): void {
  const dir = join(runs, '20260101T000000Z-check-case-provider-adapter-1');
  mkdirSync(dir, { recursive: true });
  const passed = { suite: 'case-provider-adapter', ok: true, checks: [], at: new Date(0).toISOString() };
  const about = { build_sha256: buildDigest(), executable_sha256: digestFile(program).sha256 };
  keepCheckReport(dir, { ...passed, ...about }, loadOrCreateKey({ HOME: home }));
}
