import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { termsOfAsk } from '../../../task/ask.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';
import { commitFiles, committedInputs } from '../committed-inputs.ts';
import type { RepositoryVariant, SampleRepository } from './repository-variant.ts';

/** A commit of a repository on this machine, and a change to it. */
export interface RepositoryCommit {
  readonly path: string;
  readonly commit: string;
  readonly test: string;
  /** Empty: nothing is set up. */
  readonly setup: string;
  readonly accept?: 'exit_code' | undefined;
  /** Shell script that makes the change. */
  readonly script: string;
}

/** Makes the repository and runs the change on it. */
export async function playRepository({ repository, script }: RepositoryVariant, request: RunRequest): Promise<Report> {
  const scratch = makeScratch();
  try {
    const path = join(scratch, 'repository');
    makeRepository(path, repository);
    return await playCommit({ path, commit: 'HEAD', test: repository.test, setup: '', script }, request);
  } finally {
    await removeScratch(scratch);
  }
}

/** Runs the change on a copy of the commit, as `run --repo` does. */
export async function playCommit(
  { path, commit, test, setup, accept, script }: RepositoryCommit,
  request: RunRequest,
): Promise<Report> {
  const scratch = makeScratch();
  try {
    const { taken, inputs } = await committedInputs(request, { path, commit }, scratch);
    const ask = { instruction: 'Make the change.', test, setup, accept };
    return await runTask({
      ...request,
      terms: termsOfAsk(ask, taken.repository, taken.filesDir),
      inputs,
      solutionDir: null,
      engine: { ...fakeEngine({ script }), usesOracle: false },
    });
  } finally {
    await removeScratch(scratch);
  }
}

function makeRepository(path: string, { files, links = {} }: SampleRepository): void {
  const place = (name: string): string => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    return join(path, name);
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(place(name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  for (const [name, target] of Object.entries(links)) symlinkSync(target, place(name));
  commitFiles(path);
}
