import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits, Mount } from '../confine/types.ts';
import type { Masker } from '../evidence/secrets/mask.ts';
import type { Review } from '../evidence/schema/report.ts';
import { prettyJson } from '../kernel/canonical.ts';
import type { Contract } from '../task/contract.ts';
import { Transcript } from '../confine/streams/transcript.ts';
import { pathInside } from '../confine/path-inside.ts';

const MAX_COMMENT_BYTES = 64 * 1024;
const REVIEW_TIMEOUT_MS = 120_000;

export interface ReviewRequest {
  readonly contract: Contract;
  readonly command: string;
  readonly patch: Buffer;
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
 * A second pair of eyes: a command that finds contract.json, instruction.md and patch.diff in its directory, and nothing of what the
 * implementer said. Exit 0 accepts, 1 rejects; anything else is no review.
 */
export async function reviewPatch(request: ReviewRequest): Promise<Review> {
  const { contract, command, scratch, confinement } = request;
  mkdirSync(scratch, { recursive: true });
  const { expected_tests: _hidden, ...shown } = contract;
  writeFileSync(join(scratch, 'contract.json'), prettyJson(shown));
  writeFileSync(join(scratch, 'instruction.md'), contract.instruction);
  writeFileSync(join(scratch, 'patch.diff'), request.patch);
  const mounts: Mount[] = [{ source: scratch, target: '/review', mode: 'ro' }, ...request.mounts];
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
