import { chmodSync, copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mount } from '../../../confine/types.ts';
import { packageRoot } from '../../../kernel/package-root.ts';
import { readOnly, TESTS, writable, WORKSPACE } from './layout.ts';
import type { JudgeRequest } from '../types.ts';

/**
 * Copies drivers into a directory of the scratch: no sandbox ever sees the package itself. A file is named by its place below
 * `runners/`, which it keeps, or by a pair with the place it is to have.
 */
export function stageDrivers(
  scratch: string,
  name: string,
  files: readonly (string | readonly [string, string])[],
): string {
  const dir = makeDir(scratch, name);
  const pairs = files.map((file) => (typeof file === 'string' ? ([file, file] as const) : file));
  for (const place of new Set(pairs.map(([, to]) => dirname(to)))) if (place !== '.') makeDir(dir, place);
  for (const [from, to] of pairs) {
    const target = join(dir, to);
    copyFileSync(join(packageRoot(), 'src/run/judge/runners', from), target);
    chmodSync(target, 0o755);
  }
  return dir;
}

/** A directory that whoever runs inside can read. */
export function makeDir(parent: string, name: string): string {
  const dir = join(parent, name);
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  return dir;
}

/** The directory of the tests: sealed, or the tree's own. Null: there is none to keep apart. */
export function testsDir({ workspace, sealedTests }: JudgeRequest): string | null {
  if (sealedTests !== null) return sealedTests;
  const own = join(workspace, 'tests');
  return existsSync(own) ? own : null;
}

/** Mounts for the process with the tests. Kept apart: the tests in an otherwise empty workspace. */
export function testsMounts(request: JudgeRequest, tests: string | null): Mount[] {
  if (tests !== null) return overlay(request, makeDir(request.scratch, 'empty-workspace'), tests);
  if (request.sealedTests !== null) return overlay(request, request.workspace, request.sealedTests);
  return [writable(request.workspace, WORKSPACE), ...provisioned(request, request.workspace)];
}

/** Mounts for the process with only the code under test: the tree without any tests, read-only unless it is a copy for this process. */
export function subjectMounts(request: JudgeRequest): Mount[] {
  const { workspace, scratch, apartFiles } = request;
  const tree = apartFiles === undefined ? readOnly : writable;
  const hidden = existsSync(join(workspace, 'tests')) ? [readOnly(makeDir(scratch, 'no-tests'), TESTS)] : [];
  return [tree(workspace, WORKSPACE), ...provisioned(request, workspace), ...hidden];
}

/** Mounts beside the tree. Mount points are created beforehand, since a read-only tree takes no new ones. */
function provisioned({ confinement, readOnly: given = [] }: JudgeRequest, tree: string): Mount[] {
  return given.map(({ source, target }) => {
    if (confinement.kind !== 'none' && target.startsWith(`${WORKSPACE}/`)) {
      makePlace(tree, target.slice(WORKSPACE.length + 1));
    }
    return readOnly(source, target);
  });
}

/** Never follows a link, which could lead anywhere. */
function makePlace(tree: string, below: string): void {
  let place = tree;
  for (const part of below.split('/')) {
    place = join(place, part);
    const known = lstatSync(place, { throwIfNoEntry: false });
    if (known?.isDirectory()) continue;
    if (known !== undefined) rmSync(place);
    mkdirSync(place);
  }
}

/** Puts the tests over whatever the tree has at their path; copies them where nothing can be mounted. */
function overlay(request: JudgeRequest, tree: string, tests: string): Mount[] {
  const { confinement } = request;
  const place = join(tree, 'tests');
  if (confinement.kind === 'none') {
    rmSync(place, { recursive: true, force: true });
    cpSync(tests, place, { recursive: true });
  } else {
    makePlace(tree, 'tests');
  }
  const sealed = confinement.kind === 'none' ? [] : [readOnly(tests, TESTS)];
  return [writable(tree, WORKSPACE), ...provisioned(request, tree), ...sealed];
}
