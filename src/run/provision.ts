import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits } from '../confine/types.ts';
import type { Masker } from '../evidence/secrets/mask.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { pathText } from '../kernel/path-text.ts';
import { packTree, unpackTree } from '../task/archive.ts';
import { walkTree } from '../task/tree.ts';
import { compareTrees } from './changes.ts';
import { captureStream } from './capture.ts';

const SETUP_TIMEOUT_MS = 600_000;
const SETUP_LOG_BYTES = 8 * 1024 * 1024;

/** What the setup command made beside the base: laid over every copy that the run works in. */
export interface Products {
  readonly archive: string;
  readonly paths: readonly Buffer[];
}

export interface Provisioned {
  readonly products: Products | null;
  /** Files of the base that the setup changed: a tree that starts dirty. */
  readonly dirty: readonly string[];
}

export interface ProvisionSite {
  readonly confinement: Confinement;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** A folder of its own, which is there. */
  readonly scratch: string;
  /** Where the setup's output is kept. */
  readonly logs: string;
  readonly mask: Masker;
}

/** Runs the setup command once, confined, in a copy of its own. A setup that does not succeed is a `blocked` error. */
export async function provision(
  site: ProvisionSite,
  baseArchive: string,
  command: string | null,
): Promise<Provisioned> {
  if (command === null) return { products: null, dirty: [] };
  const dir = join(site.scratch, 'provision');
  await unpackTree(baseArchive, dir);
  const before = walkTree(dir);
  site.confinement.give(dir);
  await runSetup(site, dir, command);
  const changes = compareTrees(before, walkTree(dir, { seenAs: '/workspace' }));
  const made = changes.filter((change) => change.before === null).map((change) => change.path);
  const dirty = changes.filter((change) => change.before !== null).map((change) => pathText(change.path));
  if (made.length === 0) return { products: null, dirty };
  const archive = join(site.scratch, 'products.tar');
  await packTree(dir, archive, made);
  return { products: { archive, paths: made }, dirty };
}

async function runSetup(site: ProvisionSite, dir: string, command: string): Promise<void> {
  const mounts = [{ source: dir, target: '/workspace', mode: 'rw' }] as const;
  const sandbox = site.confinement.start({
    argv: ['/bin/sh', '-c', command],
    env: {},
    cwd: site.confinement.pathInside('/workspace', mounts),
    mounts,
    limits: site.limits,
    timeoutMs: SETUP_TIMEOUT_MS,
  });
  sandbox.stdin.end();
  mkdirSync(site.logs, { recursive: true });
  const keep = (stream: typeof sandbox.stdout, name: string): Promise<unknown> =>
    captureStream(stream, { file: join(site.logs, name), maxBytes: SETUP_LOG_BYTES, mask: site.mask });
  const kept = [keep(sandbox.stdout, 'setup.stdout.log'), keep(sandbox.stderr, 'setup.stderr.log')];
  const stop = (): void => sandbox.kill();
  site.signal.addEventListener('abort', stop, { once: true });
  const end = await sandbox.ended;
  site.signal.removeEventListener('abort', stop);
  await Promise.all(kept);
  if (site.signal.aborted) return;
  if (end.kind !== 'exited')
    throw new SeatrialError('blocked', `setup command did not finish: ${end.kind.replace('_', ' ')}`);
  if (end.exitCode !== 0) throw new SeatrialError('blocked', `setup command failed with exit code ${end.exitCode}`);
}

/** Lays the products over a copy; an agent's git does not see them. */
export async function layProducts(products: Products, dir: string): Promise<void> {
  await unpackTree(products.archive, dir);
}

export function excludeProducts(products: Products, gitDir: string): void {
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  const lines = products.paths.map((path) => Buffer.concat([Buffer.from('/'), escapeIgnore(path), Buffer.from('\n')]));
  writeFileSync(join(gitDir, 'info', 'exclude'), Buffer.concat(lines));
}

function escapeIgnore(path: Buffer): Buffer {
  return Buffer.from(path.toString('latin1').replace(/[\\*?[\]! ]/g, '\\$&'), 'latin1');
}
