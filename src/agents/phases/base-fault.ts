import * as z from 'zod/mini';
import { isUrl } from '../../task/git/clone.ts';
import type { Phase, Project } from '../config/project.ts';
import { runOwnCommand } from './own-process.ts';

const judged = z.object({ verdict: z.enum(['pass', 'fail', 'blocked']), faults: z.array(z.string()) });

/**
 * Runs the tests of a phase's proof on the commit that it would begin with, before an agent spends any time on it. Null: they can be run,
 * whether they pass or not. The proof finds the record in the cache. Never rejects.
 */
export async function baseFault(
  { repo, dir }: Project,
  { id, proof }: Phase,
  tell: (line: string) => void,
): Promise<string | null> {
  // A clone of it is made first, and is not there yet.
  if (proof === null || isUrl(repo)) return null;
  tell(`running \`${proof.test}\` on HEAD of ${repo}, to see that phase ${id} can be proven`);
  const { stdout, failure } = await runOwnCommand({
    args: [
      'judge',
      '--json',
      '--repo',
      repo,
      '--base',
      'HEAD',
      '--commit',
      'HEAD',
      '--test',
      proof.test,
      ...(proof.setup === undefined ? [] : ['--setup', proof.setup]),
      ...(proof.timeout === undefined ? [] : ['--timeout', String(proof.timeout)]),
    ],
    cwd: dir,
    signal: new AbortController().signal,
  });
  const why = whyUnusable(stdout, failure);
  return why === null ? null : `phase ${id}: \`${proof.test}\` cannot prove anything on HEAD of ${repo}: ${why}`;
}

function whyUnusable(stdout: string, failure: string | null): string | null {
  try {
    const { verdict, faults } = judged.parse(JSON.parse(stdout));
    return verdict === 'blocked' ? faults.join('; ') : null;
  } catch {
    return failure ?? 'the judge gave no result';
  }
}
