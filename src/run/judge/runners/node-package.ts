import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { isWithin } from '../../../confine/bwrap/mount-masks.ts';
import type { Tool } from '../../../evidence/schema/report.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { trustsNodeModules } from '../brought-runner.ts';
import { WORKSPACE } from '../sandbox/layout.ts';
import { isTouched } from '../patch-facts.ts';
import type { JudgeRequest } from '../types.ts';

/** A test runner that the tree, or what was provisioned for it, has in node_modules. */
export interface InstalledRunner {
  /** From the workspace. */
  readonly entry: string;
  readonly tool: Tool;
  readonly major: number;
  readonly minor: number;
}

const ENTRY = { vitest: 'vitest.mjs', jest: 'bin/jest.js' } as const;
const packageFile = z.object({ version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)) });

/** Null: it is not there, or only by the patch. Only files are read: nothing of a package runs here. */
export function findInstalled(request: JudgeRequest, name: keyof typeof ENTRY): InstalledRunner | null {
  const entry = `node_modules/${name}/${ENTRY[name]}`;
  if (!trustsNodeModules(request)) return null;
  try {
    if (isLinkIntoPatch(request, `node_modules/${name}`)) return null;
    const text = readFileSync(placeOf(request, `node_modules/${name}/package.json`), 'utf8');
    const { version } = packageFile.parse(JSON.parse(text));
    const digest = sha256(readFileSync(placeOf(request, entry)));
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return { entry, tool: { name, path: `${WORKSPACE}/${entry}`, version, sha256: digest }, major, minor };
  } catch {
    return null;
  }
}

/** A package that lies elsewhere in the tree, linked to, is the patch's too if it was changed there. */
function isLinkIntoPatch(request: JudgeRequest, path: string): boolean {
  const { workspace, patch } = request;
  const real = relative(realpathSync(workspace), placeOf(request, path));
  return patch !== undefined && !real.startsWith('..') && isTouched(patch, real);
}

/** Where a file of the workspace lies on this machine. Links that lead out of the mounted folder lead nowhere inside. */
function placeOf({ workspace, readOnly = [] }: JudgeRequest, path: string): string {
  const inside = `${WORKSPACE}/${path}`;
  const holder = readOnly
    .filter(({ target }) => isWithin(inside, target))
    .reduce((best, mount) => (mount.target.length > best.target.length ? mount : best), {
      source: workspace,
      target: WORKSPACE,
    });
  const real = realpathSync(join(holder.source, inside.slice(holder.target.length)));
  if (!isWithin(real, realpathSync(holder.source))) throw new Error(`${path} leads out of ${holder.target}`);
  return real;
}
