import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits, Mount } from '../../confine/types.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { Review } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';
import { Transcript } from '../../confine/streams/transcript.ts';
import { pathInside } from '../../confine/path-inside.ts';
import { readReviewAnswer } from './answer.ts';
import { type ReviewedChange, showChange } from './shown.ts';
import { BASE, PATCHED } from './shown-trees.ts';

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

/**
 * Review by a command that finds contract.json, instruction.md, patch.diff, base/ and patched/ in its directory. Exit 0 accepts, 1
 * rejects; what it prints is its comment, or a structured answer, which must agree. Anything else is no review, as is a change that
 * cannot be shown as a whole.
 */
export async function reviewByCommand(request: ReviewRequest): Promise<Review> {
  const { contract, command, scratch, confinement } = request;
  const shown = join(scratch, 'shown');
  const unshown = await showChange(contract, request.change, shown, join(scratch, 'git'));
  if (unshown !== null) return { verdict: 'unavailable', by: 'command', comment: unshown };
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
  return {
    ...readReview(comment.text().trim(), end.kind === 'exited' ? end.exitCode : null, request.mask),
    by: 'command',
  };
}

function readReview(words: string, exitCode: number | null, mask: Masker): Omit<Review, 'by'> {
  if (exitCode !== 0 && exitCode !== 1) return { verdict: 'unavailable', comment: words };
  const answer = readReviewAnswer(words, mask);
  if (answer === null) return { verdict: exitCode === 0 ? 'accepted' : 'rejected', comment: words };
  if (typeof answer === 'string') return { verdict: 'unavailable', comment: `The answer is not valid: ${answer}` };
  // Exit 0 with a rejection is a reviewer that ran and found something.
  return exitCode === 1 && answer.verdict === 'accepted'
    ? { verdict: 'unavailable', comment: 'The reviewer answered "pass" and exited with code 1.' }
    : answer;
}

/** The trees before and after, below the review's directory; without a sandbox there are no mounts, so by links. */
function showTrees({ baseDir, patchedDir }: ReviewedChange, shown: string, { kind }: Confinement): Mount[] {
  const trees = [
    { name: BASE, source: baseDir },
    { name: PATCHED, source: patchedDir },
  ];
  for (const { name, source } of trees)
    if (kind === 'none') symlinkSync(source, join(shown, name));
    else mkdirSync(join(shown, name));
  return trees.map(({ name, source }) => ({ source, target: `/review/${name}`, mode: 'ro' }));
}
