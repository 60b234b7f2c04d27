import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_FILE } from '../evidence/bundle/bundle.ts';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { Report } from '../evidence/schema/report.ts';
import type { Engine } from '../engines/definition.ts';
import { sha256 } from '../kernel/digest.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { DECIDING_QUESTION } from './approvals/deciding.ts';
import type { BaseCache } from './trees/base-cache.ts';
import { inputsOfBundle } from './trees/cached-inputs.ts';
import { findArchives, readContract } from './trees/inputs.ts';
import type { RunRequest } from './request.ts';

/** What is judged without an engine. */
export type GivenRequest = Pick<RunRequest, 'terms' | 'inputs' | 'engine'> & Required<Pick<RunRequest, 'givenChange'>>;

/** The questions of a run that wait for an answer. */
export function openQuestions({ approvals }: Report): readonly string[] {
  return approvals
    .filter(({ decision, id }) => decision === 'open' && id.startsWith(DECIDING_QUESTION))
    .map(({ id }) => id);
}

/** The change of a run again, with the files behind these questions in the version of its patch. `scratch` exists and is empty. */
export async function approvedChange(
  bundleDir: string,
  report: Report,
  answer: { readonly ids: readonly string[]; readonly by: string },
  scratch: string,
  cache: BaseCache | null,
): Promise<GivenRequest> {
  const { base: _base, sealed_tests: _tests, ...terms } = readContract(bundleDir);
  if (terms.judging === undefined) throw new SeatrialError('usage', `${report.run_id} is not a change to a repository`);
  const archives = findArchives(bundleDir, readContract(bundleDir));
  return {
    terms: {
      ...terms,
      given: {
        kind: 'run',
        run_id: report.run_id,
        report_sha256: sha256(readFileSync(join(bundleDir, REPORT_FILE))),
        approved: [...answer.ids],
        by: answer.by,
      },
    },
    inputs: await inputsOfBundle(archives, scratch, cache),
    engine: absentEngine(report.backend),
    givenChange: { kind: 'patch', bundleDir },
  };
}

/** Stands for the author of a change that was made elsewhere. It cannot be started. */
export function absentEngine(name: string): Engine {
  return {
    name,
    usesOracle: false,
    stateDirs: [],
    hides: [],
    launch: () => ({ refused: reason('engine_not_enabled', { engine: name }) }),
    ownLog: () => null,
    claimIn: () => null,
    read: () => [],
    diagnose: () => [],
  };
}
