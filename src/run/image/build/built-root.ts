import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { runTool } from '../../../confine/processes/spawn.ts';
import { withLock } from '../../../evidence/storage/lock.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { sha256 } from '../../../kernel/digest.ts';
import type { ImageTask } from '../../../task/image/image-task.ts';
import { digestEntries } from '../../../task/tree/digest.ts';
import { walkTree } from '../../../task/tree/walk.ts';
import { buildImage, type ImageBuilder } from './builders.ts';

const about = z.strictObject({
  /** Of all files, as they were unpacked. */
  sha256: z.string(),
  builder: z.string(),
  env: z.array(z.string()),
  workdir: z.string(),
});

/** The files of a built image, unpacked in the cache. */
export interface BuiltRoot extends z.infer<typeof about> {
  readonly dir: string;
}

const DEFAULT_TIMEOUT_MS = 1_800_000;
const imagesIn = (cacheDir: string): string => join(cacheDir, 'images');

/** Builds the image of a task once; later calls with the same Dockerfile and context find it. A string: why it could not. */
export async function buildRoot(
  task: Pick<ImageTask, 'dockerfileText' | 'contextDir' | 'buildTimeoutSec'>,
  builder: ImageBuilder,
  cacheDir: string,
): Promise<BuiltRoot | string> {
  const dockerfile = task.dockerfileText;
  if (dockerfile === null) return 'it has no Dockerfile';
  const context = existsSync(task.contextDir)
    ? digestEntries(walkTree(task.contextDir, { installed: true }).entries)
    : '';
  const key = sha256(`${dockerfile}\0${context}`);
  const images = imagesIn(cacheDir);
  mkdirSync(images, { recursive: true, mode: 0o711 });
  const timeoutMs = task.buildTimeoutSec === null ? DEFAULT_TIMEOUT_MS : task.buildTimeoutSec * 1000;
  const make = async (): Promise<BuiltRoot | string> => {
    const known = readBuilt(join(images, key));
    if (known !== null) return known;
    const making = join(images, `making-${randomBytes(6).toString('hex')}`);
    mkdirSync(join(making, 'root'), { recursive: true, mode: 0o755 });
    try {
      const why = await fill(making, { tag: `seatrial-${key.slice(0, 24)}`, dockerfile, timeoutMs }, task, builder);
      if (why !== null) return why;
      await removeTree(join(images, key));
      renameSync(making, join(images, key));
    } finally {
      await removeTree(making);
    }
    return readBuilt(join(images, key)) ?? 'its files changed while they were unpacked';
  };
  return withLock(join(images, `${key}.lock`), make, 2 * timeoutMs);
}

/** The root with this digest, if it is on this machine and still the same. */
export function findBuiltRoot(cacheDir: string | null, digest: string): BuiltRoot | null {
  const images = cacheDir === null ? null : imagesIn(cacheDir);
  if (images === null || !existsSync(images)) return null;
  const dirs = readdirSync(images, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of dirs) {
    const described = readAbout(join(images, name));
    const found = described?.sha256 === digest ? readBuilt(join(images, name)) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Null: done. */
async function fill(
  dir: string,
  { tag, dockerfile, timeoutMs }: { readonly tag: string; readonly dockerfile: string; readonly timeoutMs: number },
  { contextDir }: Pick<ImageTask, 'contextDir'>,
  builder: ImageBuilder,
): Promise<string | null> {
  const tar = join(dir, 'root.tar');
  const file = join(dir, 'Dockerfile');
  writeFileSync(file, dockerfile);
  const config = await buildImage(builder, { tag, contextDir, dockerfile: file, tar, timeoutMs });
  if (typeof config === 'string') return config;
  const root = join(dir, 'root');
  const unpacked = await runTool(
    'tar',
    ['--extract', '--file', tar, '--directory', root, '--no-same-owner', '--exclude=dev/*', '--exclude=./dev/*'],
    { timeoutMs },
  );
  if (unpacked.exitCode !== 0) return `its files could not be unpacked: ${unpacked.stderr.trim().split('\n').at(-1)}`;
  rmSync(tar);
  // Commands run as a user of their own, to whom nothing of an image may be closed.
  await runTool('chmod', ['--recursive', 'u+rwX,go+rX,ug-s', root], { timeoutMs });
  layOwnFiles(root);
  const described = { sha256: digestOf(root), builder: `${builder.name} ${builder.version}`, ...config };
  writeFileSync(join(dir, 'image.json'), `${JSON.stringify({ ...described, env: [...config.env] })}\n`);
  return null;
}

/** The sandbox shows files of its own in their place. */
function layOwnFiles(root: string): void {
  mkdirSync(join(root, 'etc'), { recursive: true });
  for (const name of ['passwd', 'group', 'gitconfig', 'hosts']) {
    const path = join(root, 'etc', name);
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, '');
  }
}

const digestOf = (root: string): string => digestEntries(walkTree(root, { installed: true }).entries);

function readAbout(dir: string): z.infer<typeof about> | null {
  const path = join(dir, 'image.json');
  return existsSync(path) ? (about.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null) : null;
}

/** Null: it is not there, or no longer what was built. */
function readBuilt(dir: string): BuiltRoot | null {
  const described = readAbout(dir);
  const root = join(dir, 'root');
  return described === null || digestOf(root) !== described.sha256 ? null : { ...described, dir: root };
}
