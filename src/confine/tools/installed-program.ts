import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { statFingerprint } from '../../evidence/storage/stat-fingerprint.ts';
import { sha256 } from '../../kernel/digest.ts';
import { digestEntries } from '../../task/tree/digest.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { findProgram } from './find-program.ts';
import { nodePackagesOf } from './node-packages.ts';

/** The program of that name on PATH, or else where installers put programs without adding them to it. */
export function findInstalledProgram(name: string, env: Readonly<Record<string, string | undefined>>): string | null {
  return findInstalledPrograms([name], env).get(name) ?? null;
}

/** The same for several, by name; what is not installed is missing. */
export function findInstalledPrograms(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const dirs = [env['PATH'] ?? '', ...usualDirs(env['HOME'] ?? homedir())].join(':');
  return new Map(
    names.flatMap((name) => {
      const path = findProgram(name, dirs);
      return path === null ? [] : [[name, path] as const];
    }),
  );
}

function usualDirs(home: string): string[] {
  const nvm = join(home, '.nvm/versions/node');
  const versions = existsSync(nvm) ? readdirSync(nvm).sort((a, b) => b.localeCompare(a, 'en', { numeric: true })) : [];
  return [
    ...[
      '.local/bin',
      '.npm-global/bin',
      '.npm/bin',
      '.bun/bin',
      '.volta/bin',
      '.local/share/pnpm',
      '.opencode/bin',
    ].map((dir) => join(home, dir)),
    ...versions.map((version) => join(nvm, version, 'bin')),
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/usr/local/bin',
  ];
}

export interface InstalledDigest {
  readonly sha256: string;
  readonly bytes: number;
}

const cached = z.strictObject({ fingerprint: sha256Hex, sha256: sha256Hex, bytes: z.int() });

/**
 * Digest of a program: of its file, or of all files of its Node package and of those that it depends on, because the start script only
 * loads the rest. They have hundreds of megabytes, so the digest is cached while no file in them changes.
 */
export function digestInstalled(path: string, cacheDir: string | null): InstalledDigest {
  const real = realpathSync(path);
  const packages = nodePackagesOf(real);
  if (packages === null) return digestFile(real);
  const { roots } = packages;
  const fingerprint = sha256(roots.map((root) => `${root} ${statFingerprint(root, ['.'])}\n`).join(''));
  const file = cacheDir === null ? null : join(cacheDir, `program-${sha256(roots[0] ?? '').slice(0, 32)}.json`);
  const known = file === null ? null : readCached(file);
  if (known !== null && known.fingerprint === fingerprint) return { sha256: known.sha256, bytes: known.bytes };
  const digest = digestPackages(roots);
  if (file !== null) writeCached(file, { fingerprint, ...digest });
  return digest;
}

/** That of a single package is the package's own. */
function digestPackages(roots: readonly string[]): InstalledDigest {
  const [own = '', ...others] = roots;
  const digest = digestPackage(own);
  if (others.length === 0) return digest;
  const digests = [digest, ...others.map(digestPackage)];
  const lines = digests.map((one, at) => `${relative(own, roots[at] ?? '')} ${one.sha256}\n`);
  return { sha256: sha256(lines.join('')), bytes: digests.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function digestPackage(root: string): InstalledDigest {
  const entries = [...walkTree(root, { installed: true }).entries];
  const bytes = entries.reduce((sum, [, entry]) => sum + (entry.kind === 'file' ? entry.bytes : 0), 0);
  return { sha256: digestEntries(entries), bytes };
}

function readCached(file: string): z.infer<typeof cached> | null {
  try {
    return cached.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** A cache that cannot be written only costs time. */
function writeCached(file: string, content: z.infer<typeof cached>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(content));
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Digested again next time.
  }
}
