import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits, Mount } from '../confine/types.ts';
import type { Masker } from '../evidence/secrets/mask.ts';
import type { Review } from '../evidence/schema/report.ts';
import { prettyJson } from '../kernel/canonical.ts';
import type { Contract } from '../task/contract.ts';
import { Transcript } from '../confine/streams/transcript.ts';
import { GitFault } from '../task/git/call.ts';
import { walkTree } from '../task/tree/walk.ts';
import { compareTrees } from './patch/changes.ts';
import { openOwnGit, writeReadableDiff } from './patch/write.ts';
import { pathInside } from '../confine/path-inside.ts';

const MAX_COMMENT_BYTES = 64 * 1024;
const REVIEW_TIMEOUT_MS = 120_000;

export interface ReviewRequest {
  readonly contract: Contract;
  readonly command: string;
  readonly change: ReviewedChange;
  /** A directory of the review's own. */
  readonly scratch: string;
  readonly confinement: Confinement;
  /** What every command of the run is shown: its own directories apart. */
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly mask: Masker;
}

export interface ReviewedChange {
  readonly baseDir: string;
  /** The base with the change in it. */
  readonly patchedDir: string;
}

/**
 * A second pair of eyes: a command that finds contract.json, instruction.md, patch.diff, base/ and patched/ in its directory, and nothing
 * of what the implementer said. Exit 0 accepts, 1 rejects; anything else is no review, as is a change that cannot be shown as a whole.
 */
export async function reviewPatch(request: ReviewRequest): Promise<Review> {
  const { contract, command, scratch, confinement } = request;
  const shown = join(scratch, 'shown');
  mkdirSync(shown, { recursive: true });
  const unshown = await writeDiff(request.change, join(scratch, 'git'), join(shown, 'patch.diff'));
  if (unshown !== null) return { verdict: 'unavailable', by: 'command', comment: unshown };
  const { expected_tests: _hidden, ...terms } = contract;
  writeFileSync(join(shown, 'contract.json'), prettyJson(terms));
  writeFileSync(join(shown, 'instruction.md'), contract.instruction);
  const mounts: Mount[] = [
    { source: shown, target: '/review', mode: 'ro' },
    ...showTrees(request.change, shown, confinement),
    ...request.mounts,
  ];
  const sandbox = confinement.start({
    argv: ['/bin/sh', '-c', command],
    env: request.env,
    cwd: pathInside(confinement, '/review', mounts),
    mounts,
    limits: request.limits,
    timeoutMs: REVIEW_TIMEOUT_MS,
  });
  sandbox.stdin.on('error', () => {});
  sandbox.stdin.end();
  const comment = new Transcript(MAX_COMMENT_BYTES, request.mask);
  comment.listen(sandbox.stdout);
  sandbox.stderr.resume();
  const end = await sandbox.ended;
  const verdict =
    end.kind === 'exited' && end.exitCode === 0
      ? 'accepted'
      : end.kind === 'exited' && end.exitCode === 1
        ? 'rejected'
        : 'unavailable';
  return { verdict, by: 'command', comment: comment.text().trim() };
}

/** Null, or why the change cannot be shown. */
async function writeDiff(
  { baseDir, patchedDir }: ReviewedChange,
  gitDir: string,
  file: string,
): Promise<string | null> {
  try {
    const changes = compareTrees(walkTree(baseDir), walkTree(patchedDir));
    await writeReadableDiff(changes, { ownGit: openOwnGit(gitDir), baseDir, frozenDir: patchedDir }, file);
    return null;
  } catch (error) {
    if (error instanceof GitFault || error instanceof RangeError)
      return `The review command was not started, because the change cannot be shown to it: ${error.message}`;
    throw error;
  }
}

/** The trees before and after, below the review's directory; without a sandbox there are no mounts, so by links. */
function showTrees({ baseDir, patchedDir }: ReviewedChange, shown: string, { kind }: Confinement): Mount[] {
  const trees = [
    { name: 'base', source: baseDir },
    { name: 'patched', source: patchedDir },
  ];
  for (const { name, source } of trees)
    if (kind === 'none') symlinkSync(source, join(shown, name));
    else mkdirSync(join(shown, name));
  return trees.map(({ name, source }) => ({ source, target: `/review/${name}`, mode: 'ro' }));
}
