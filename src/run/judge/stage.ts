import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mount } from '../../confine/types.ts';
import { packageRoot } from '../../task/package-root.ts';
import { readOnly, TESTS, writable, WORKSPACE } from './inside.ts';
import type { JudgeRequest } from './types.ts';

/**
 * Copies drivers into a folder of the scratch: no sandbox ever sees the package itself. A file is named by its place below
 * `drivers/`, or by a pair with the name it is to have.
 */
export function stageDrivers(
  scratch: string,
  name: string,
  files: readonly (string | readonly [string, string])[],
): string {
  const folder = makeFolder(scratch, name);
  for (const file of files) {
    const [from, to] = typeof file === 'string' ? [file, basename(file)] : file;
    const target = join(folder, to);
    copyFileSync(join(packageRoot(), 'src/run/judge/drivers', from), target);
    chmodSync(target, 0o755);
  }
  return folder;
}

/** A folder that whoever runs inside can read. */
export function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return folder;
}

/** The folder that holds the asserts: sealed, or the tree's own. Null: there is none to keep apart. */
export function testsFolder({ workspace, sealedTests }: JudgeRequest): string | null {
  if (sealedTests !== null) return sealedTests;
  const own = join(workspace, 'tests');
  return existsSync(own) ? own : null;
}

/** What the process with the asserts sees. Apart: the tests in an otherwise empty workspace. */
export function testsMounts(request: JudgeRequest, tests: string | null): Mount[] {
  if (tests !== null) return overlay(request, makeFolder(request.scratch, 'empty-workspace'), tests);
  if (request.sealedTests !== null) return overlay(request, request.workspace, request.sealedTests);
  request.confinement.give(request.workspace);
  return [writable(request.workspace, WORKSPACE)];
}

/** What the process with nothing but the code under test sees: the tree, read-only, without tests of any kind. */
export function subjectMounts({ workspace, scratch, confinement }: JudgeRequest): Mount[] {
  confinement.give(workspace);
  const tree = readOnly(workspace, WORKSPACE);
  return existsSync(join(workspace, 'tests')) ? [tree, readOnly(makeFolder(scratch, 'no-tests'), TESTS)] : [tree];
}

/** Tests over whatever the tree has at their place. Where nothing can be mounted, a copy has to do. */
function overlay({ confinement }: JudgeRequest, tree: string, tests: string): Mount[] {
  const place = join(tree, 'tests');
  if (confinement.kind === 'none') cpSync(tests, place, { recursive: true });
  else mkdirSync(place, { recursive: true });
  confinement.give(tree);
  return confinement.kind === 'none'
    ? [writable(tree, WORKSPACE)]
    : [writable(tree, WORKSPACE), readOnly(tests, TESTS)];
}
