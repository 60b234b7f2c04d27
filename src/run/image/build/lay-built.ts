import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../../kernel/path-text.ts';
import type { ImageTask } from '../../../task/image/image-task.ts';
import type { ImageTerms } from '../../../task/image/terms.ts';
import { copyTree } from '../../../task/tree/copy.ts';
import { fewestDirs, type ImagePlace } from '../places.ts';
import type { BuiltRoot } from './built-root.ts';

/** Directories that every Linux system has. All others are the task's own. */
const USUAL = new Set(
  'usr etc bin sbin lib lib32 lib64 libx32 var proc sys dev run boot tmp home root opt srv mnt media workspace artifacts solution engine port provision judge build tests logs oracle attempts'.split(
    ' ',
  ),
);

/** The directories that engine, oracle and verifier may write to: where the image starts programs, and those of its own. */
export function builtPlaces(root: BuiltRoot, workdir: string): readonly ImagePlace[] {
  const own = readdirSync(root.dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !USUAL.has(entry.name))
    .map(({ name }) => `/${name}`);
  return fewestDirs([workdir, ...own]);
}

export function layBuiltFiles({ dir: root }: BuiltRoot, places: readonly ImagePlace[], filesDir: string): void {
  for (const { dir, at } of places) {
    const from = join(root, at);
    const to = join(filesDir, dir);
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(from) && lstatSync(from).isDirectory()) copyTree(from, to);
    else mkdirSync(to);
  }
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function variablesOf({ env }: BuiltRoot): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.map((text): [string, string] => {
      const at = text.indexOf('=');
      return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

export function rootTerms(root: BuiltRoot): NonNullable<ImageTerms['root']> {
  const path = variablesOf(root)['PATH'] ?? DEFAULT_PATH;
  const python3 = path.split(':').find((dir) => isProgram(root.dir, join(dir, 'python3')));
  return {
    sha256: root.sha256,
    builder: root.builder,
    path,
    python3: python3 === undefined ? null : join(python3, 'python3'),
  };
}

/** Follows links inside the image only. */
function isProgram(root: string, path: string): boolean {
  try {
    return lstatSync(join(root, path)).isSymbolicLink() || isWithin(realpathSync(join(root, path)), realpathSync(root));
  } catch {
    return false;
  }
}

/** What installers inside may say yes to: whatever the image has. */
export function installedIn({ dir: root }: BuiltRoot): ImageTerms['installed'] {
  const status = join(root, 'var/lib/dpkg/status');
  const debian = existsSync(status) ? [...readFileSync(status, 'utf8').matchAll(/^Package: (\S+)$/gm)] : [];
  return {
    debian: debian.map(([, name = '']) => name).sort(),
    python: [
      ...new Set(['usr/lib/python3', 'usr/local/lib'].flatMap((dir) => distributionsBelow(join(root, dir)))),
    ].sort(),
  };
}

function distributionsBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const name = /^(.+?)-[^-]+\.(?:dist|egg)-info$/.exec(entry.name)?.[1];
    if (name !== undefined) return [name.toLowerCase().replaceAll(/[-_.]+/g, '-')];
    return entry.isDirectory() && /^(?:python3[\d.]*|(?:site|dist)-packages)$/.test(entry.name)
      ? distributionsBelow(join(dir, entry.name))
      : [];
  });
}

/** Where programs start in the image, unless the task says another. */
export function builtWorkdir(task: Pick<ImageTask, 'workdir'>, root: BuiltRoot): string {
  return task.workdir ?? root.workdir;
}
