import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readHomes } from '../bwrap/mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import { ask, digestOf, DOES_NOT_SERVE, type Identified, librariesOf, type ToolQuestion } from './tool-question.ts';

const VERSION = /\d+(\.\d+)+\S*/;
const RUST_PROGRAMS = /^(?:cargo|rustc|rustdoc|rustfmt|rust-[\w-]+|cargo-[\w-]+|clippy-driver)$/;

export function isRustProgram(name: string): boolean {
  return RUST_PROGRAMS.test(name);
}

/**
 * `cargo` and similar, with their toolchain. CARGO_HOME, which contains rustup's proxies, is not needed and holds credentials.
 */
export async function identifyRust(question: ToolQuestion): Promise<Identified> {
  const { name, candidate, env } = question;
  const rustup = rustupBehind(candidate);
  const program = rustup === null ? candidate : await ask(rustup, ['which', name], env);
  if (program === null || !program.startsWith('/') || !existsSync(program)) return DOES_NOT_SERVE;
  const version = VERSION.exec((await ask(program, ['--version'], env)) ?? '')?.[0];
  if (version === undefined) return DOES_NOT_SERVE;
  const real = realpathSync(program);
  const needs = [program, real, ...sysrootParts(dirname(dirname(real))), ...(await librariesOf(real))];
  return {
    found: { tool: { name, path: program, version, sha256: digestOf(real) }, needs, links: [] },
    restsOn: [program, real, ...(rustup === null ? [] : [rustup, ...rustupFiles(env)])],
  };
}

/** The rustup behind a proxy, which may be a symbolic link, a hard link or a copy; null: the candidate is no proxy. */
function rustupBehind(candidate: string): string | null {
  const real = realpathSync(candidate);
  if (basename(real) === 'rustup') return real;
  const beside = join(dirname(real), 'rustup');
  const other = statSync(beside, { throwIfNoEntry: false });
  if (other === undefined) return null;
  const own = statSync(real);
  const isSecondName = own.ino === other.ino && own.dev === other.dev;
  return isSecondName || (own.size === other.size && digestOf(real) === digestOf(beside)) ? beside : null;
}

/** Files that rustup selects a toolchain by, besides its variables. Candidates are run in the root directory. */
function rustupFiles(env: ToolEnvironment): string[] {
  const home = env['RUSTUP_HOME'] ?? join(env['HOME'] ?? '/', '.rustup');
  return [join(home, 'settings.toml'), '/rust-toolchain', '/rust-toolchain.toml'];
}

/** The whole root if it belongs to the toolchain alone; in a shared directory of a home, only the programs and libraries. */
function sysrootParts(root: string): string[] {
  if (!existsSync(join(root, 'lib', 'rustlib'))) return [];
  const isOwn = basename(dirname(root)) === 'toolchains' || !readHomes().some((home) => isWithin(root, home));
  if (isOwn) return [root];
  const programs = readdirSync(join(root, 'bin')).filter(isRustProgram);
  return [...programs.map((name) => join(root, 'bin', name)), join(root, 'lib'), join(root, 'libexec')];
}

/** `go` with its GOROOT, without GOPATH, which holds modules and installed programs. */
export async function identifyGo({ name, candidate, env }: ToolQuestion): Promise<Identified> {
  const version = VERSION.exec((await ask(candidate, ['version'], env)) ?? '')?.[0];
  const root = await ask(candidate, ['env', 'GOROOT'], env);
  if (version === undefined || root === null || !existsSync(root)) return DOES_NOT_SERVE;
  const own = join(root, 'bin', 'go');
  const program = existsSync(own) ? own : candidate;
  const real = realpathSync(program);
  return {
    found: {
      tool: { name, path: program, version, sha256: digestOf(real) },
      needs: [root, realpathSync(root), real],
      links: [],
    },
    restsOn: realpathSync(candidate) === real ? [program, real, join(root, 'VERSION')] : null,
  };
}
