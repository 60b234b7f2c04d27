/**
 * `node copies.mjs <bundle> <runs> <count>`, bundled by esbuild first: copies a sealed bundle under new run ids, a second apart, until the runs
 * directory has `count` of them. Each copy is sealed with the caller's key and entered in the ledger, so that it verifies as a run of its own.
 */
import { createHash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attest } from '../../src/evidence/bundle/attestation.ts';
import { loadOrCreateKey } from '../../src/evidence/bundle/keys.ts';
import { appendToLedger } from '../../src/evidence/bundle/ledger.ts';
import { buildManifest, manifestBytes } from '../../src/evidence/bundle/manifest.ts';
import { linkLine } from '../../src/evidence/log/chain.ts';
import { prettyJson } from '../../src/kernel/canonical.ts';
import { systemClock } from '../../src/kernel/clock.ts';

const EVENTS = 'events.normalized.jsonl';
/** Written anew; of all other files, those that hold the run id are copied with another one, and the rest are hard links. */
const SEALED = new Set([EVENTS, 'report.json', 'manifest.json', 'attestation.json']);
const NEVER = '0'.repeat(64);
const AT_ONCE = 1000;

const [source = '', runs = '', count = '0'] = process.argv.slice(2);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const key = loadOrCreateKey(process.env);
const id = basename(source);
const [, task, pid] = /^\d{8}T\d{6}Z-(.*)-(\d+)/.exec(id);
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
const read = (name) => readFileSync(join(source, name), 'utf8');
const events = read(EVENTS).trim().split('\n');
const report = read('report.json');
const named = new Map(
  files.filter((name) => !SEALED.has(name) && read(name).includes(id)).map((name) => [name, read(name)]),
);
const existing = readdirSync(runs).filter((name) => /^\d{8}T/.test(name));
const missing = Math.max(0, Number(count) - existing.length);
let lines = [];
for (let n = 0; n < missing; n += 1) {
  lines.push(copy(n + existing.length));
  if (lines.length < AT_ONCE && n + 1 < missing) continue;
  await appendToLedger(runs, systemClock, lines);
  lines = [];
}

function copy(number) {
  const at = new Date(Date.UTC(2020, 0, 1) + number * 1000).toISOString();
  const runId = `${at.slice(0, 19).replace(/[-:]/g, '')}Z-${task}-${pid}`;
  const dir = join(runs, `.copy-${runId}`);
  mkdirSync(dir);
  const digests = new Map();
  /** With the time of the file in the first bundle: no file is younger than its seal. */
  const writeAs = (name, text, like = name) => {
    writeFileSync(join(dir, name), text);
    const { atime, mtime } = statSync(join(source, like));
    utimesSync(join(dir, name), atime, mtime);
  };
  const write = (name, text, before) => {
    writeAs(name, text);
    digests.set(sha256(before), sha256(text));
  };
  for (const file of files.filter((name) => !SEALED.has(name))) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    const text = named.get(file);
    if (text === undefined) linkSync(join(source, file), join(dir, file));
    else write(file, text.replaceAll(id, runId), text);
  }
  let prev = NEVER;
  const chained = events.map((line) => {
    const { hash: _, ...event } = JSON.parse(line.replaceAll(id, runId));
    const linked = linkLine({ ...event, prev });
    prev = linked.hash;
    return linked.line;
  });
  write(EVENTS, chained.join(''), read(EVENTS));
  const own = JSON.parse(
    report.replaceAll(id, runId).replaceAll(/[0-9a-f]{64}/g, (digest) => digests.get(digest) ?? digest),
  );
  own.freshness = { ...own.freshness, chain_head: prev, ledger_head_at_start: NEVER };
  const reportBytes = prettyJson(own);
  writeAs('report.json.tmp', reportBytes, 'report.json');
  const manifest = buildManifest(dir, runId);
  const listed = manifestBytes(manifest);
  writeFileSync(join(dir, 'manifest.json'), listed);
  const facts = {
    report: own,
    reportSha256: sha256(reportBytes),
    manifest,
    manifestSha256: sha256(listed),
    sealedAt: own.freshness.sealed_at,
  };
  writeFileSync(join(dir, 'attestation.json'), attest(facts, key));
  renameSync(join(dir, 'report.json.tmp'), join(dir, 'report.json'));
  renameSync(dir, join(runs, runId));
  return { kind: 'run', run_id: runId, status: own.status, manifest_sha256: sha256(listed), chain_head: prev };
}
