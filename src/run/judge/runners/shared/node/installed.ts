import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { isWithin } from '../../../../../kernel/path-text.ts';
import type { Tool } from '../../../../../evidence/schema/report.ts';
import { sha256 } from '../../../../../kernel/digest.ts';
import { trustsNodeModules } from '../../../patch/brought-runner.ts';
import { isTouched, pathKey } from '../../../patch/patch-facts.ts';
import { WORKSPACE } from '../../../sandbox/layout.ts';
import type { JudgeRequest } from '../../../types.ts';
import { notInstalled, type Prepared, unusableRunner } from '../../definition.ts';

/** A test runner that the tree, or what was provisioned for it, has in node_modules. */
export interface InstalledRunner {
  /** Its directory, from the workspace. */
  readonly dir: string;
  /** From the workspace. */
  readonly entry: string;
  readonly tool: Tool;
  readonly major: number;
  readonly minor: number;
}

/** What is looked for, and the first version whose reports and processes are those that the driver knows. */
export interface PackageWanted {
  readonly name: string;
  /** Its program, from the package's directory. */
  readonly entry: string;
  /** What earlier versions called it. */
  readonly olderEntry?: string;
  readonly oldest: PackageVersion;
  /** The first version that can be kept from settings of the tree, where that is another one. */
  readonly oldestSealed?: PackageVersion;
}

interface PackageVersion {
  readonly major: number;
  readonly minor: number;
}

const packageFile = z.object({ version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)) });

/** Null: it is neither in the command's directory nor above, or only by the patch. Only files are read: nothing of a package runs here. */
export function findInstalled(request: JudgeRequest, wanted: PackageWanted, from = ''): InstalledRunner | null {
  if (!trustsPackages(request, from)) return null;
  for (const above of dirsAbove(from)) {
    for (const entry of [wanted.entry, ...(wanted.olderEntry === undefined ? [] : [wanted.olderEntry])]) {
      const found = installedIn(request, `${above}node_modules/${wanted.name}`, wanted.name, entry);
      if (found !== null) return found;
    }
  }
  return null;
}

/** What blocks where `findInstalled` finds nothing. Versions that are too old may have their program elsewhere. */
export function packageMissing(request: JudgeRequest, wanted: PackageWanted, from = ''): Prepared {
  const other = findInstalled(request, { ...wanted, entry: 'package.json' }, from);
  const old = other === null ? null : tooOld(other, wanted, request.sealedTests !== null);
  if (old !== null) return unusableRunner(old);
  const why = trustsPackages(request, from) ? [] : ['the patch changes node_modules, so nothing in it runs its tests'];
  return notInstalled(wanted.name, ...why);
}

/** Whatever node would find on the way up has to be trusted, not the runner alone. */
function trustsPackages(request: JudgeRequest, from: string): boolean {
  return dirsAbove(from).every((above) => trustsNodeModules(request, above));
}

/** Why a version cannot be judged; null: it can. */
export function tooOld(
  { tool, major, minor }: InstalledRunner,
  { name, oldest: oldestOfAll, oldestSealed = oldestOfAll }: PackageWanted,
  sealed = false,
): string | null {
  const oldest = sealed ? oldestSealed : oldestOfAll;
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return null;
  const wanted = `${name} ${tool.version} is too old to be judged${sealed ? ' with sealed tests' : ''}, it takes ${oldest.major}.${oldest.minor} or newer`;
  return `${wanted}; as sh -c '…' it is judged by its exit code`;
}

function installedIn(request: JudgeRequest, dir: string, name: string, program: string): InstalledRunner | null {
  const entry = `${dir}/${program}`;
  try {
    if ([dir, entry].some((path) => isOfPatch(request, path))) return null;
    const text = readFileSync(placeOf(request, `${dir}/package.json`), 'utf8');
    const { version } = packageFile.parse(JSON.parse(text));
    const digest = sha256(readFileSync(placeOf(request, entry)));
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return {
      dir,
      entry,
      tool: { name, path: `${WORKSPACE}/${entry}`, version, sha256: digest },
      major,
      minor,
    };
  } catch {
    return null;
  }
}

/** Whether the patch changed something there or below. A package that lies elsewhere in the tree, linked to, counts where it lies. */
export function isOfPatch(request: JudgeRequest, path: string): boolean {
  const { workspace, patch } = request;
  const real = relative(workspace, placeOf(request, path));
  return patch !== undefined && !real.startsWith('..') && isTouched(patch, pathKey(real));
}

/** `a/b/`, `a/`, ``: each with what separates it from a name. */
function dirsAbove(dir: string): readonly string[] {
  const parts = dir.split('/').filter((part) => part !== '');
  return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/')}/`), ''];
}

const MAX_LINKS = 40;

/** Where a file of the workspace lies on this machine: links lead where they would lead inside, or nowhere. */
export function placeOf(request: JudgeRequest, path: string): string {
  const pending = path.split('/');
  let inside = WORKSPACE;
  let links = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === '' || part === '.') continue;
    const next = part === '..' ? dirname(inside) : `${inside === '/' ? '' : inside}/${part}`;
    const target = part === '..' || next === WORKSPACE ? null : linkAt(request, next);
    if (target === null) {
      inside = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new Error(`${path} leads in circles`);
    if (target.startsWith('/')) inside = '/';
    pending.unshift(...target.split('/'));
  }
  return onHost(request, inside);
}

/** Null: no link. */
function linkAt(request: JudgeRequest, inside: string): string | null {
  const place = onHost(request, inside);
  const isMounted = request.readOnly?.some(({ target }) => target === inside) ?? false;
  return !isMounted && lstatSync(place).isSymbolicLink() ? readlinkSync(place) : null;
}

function onHost({ workspace, readOnly = [] }: JudgeRequest, inside: string): string {
  if (!isWithin(inside, WORKSPACE)) throw new Error(`${inside} is not in the workspace`);
  const holder = readOnly
    .filter(({ target }) => isWithin(inside, target))
    .reduce((best, mount) => (mount.target.length > best.target.length ? mount : best), {
      source: workspace,
      target: WORKSPACE,
    });
  return join(holder.source, inside.slice(holder.target.length));
}
