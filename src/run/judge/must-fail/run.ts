import pMap from 'p-map';
import { confirmAlarms, type Round } from './confirm.ts';
import { CopyMaker, type MadeCopies } from './copies.ts';
import { fileOfId } from './locate/locate.ts';
import { TestSources } from './locate/site.ts';
import { AT_ONCE, type MustFailRequest } from './request.ts';
import { sampleTests } from './sample.ts';
import { locateSites } from './sites.ts';
import { tellApart } from './told-apart/tell-apart.ts';
import { findTestsThatStopPassing } from './repeated/repeat-tests.ts';
import { decideMustFail, type MustFailVerdict, type NotAltered } from './verdict.ts';

/** Shows that the tests can fail with this patch, by running altered copies of them: some that must fail, and some that must pass. */
export async function runMustFail(request: MustFailRequest): Promise<MustFailVerdict> {
  const { seed, runner, fixed, kept, files, firstRunMs } = request;
  const passed = kept.map((id) => ({ id, file: fileOfId(runner, id) }));
  const sample = sampleTests(seed, fixed, passed);
  const located = await locateSites(runner, sample, new TestSources(files), request.fileOf);
  const copies = new CopyMaker(seed, runner, files, located.sites);
  const timeoutMs = 3 * firstRunMs + 10_000;
  const notAltered: NotAltered[] = [...located.notAltered];
  const prepared: (MadeCopies & Pick<Round, 'ids'>)[] = [];
  for (let round = 0; round < copies.rounds; round += 1) {
    const made = await copies.make(round);
    notAltered.push(...made.notAltered);
    if (made.copies.length === 0) continue;
    prepared.push({ ...made, ids: made.copies.flatMap(({ site }) => site.tests) });
  }
  const rounds = await pMap(
    prepared,
    async ({ ids, copies: made, files: altered }): Promise<Round> => ({
      ids,
      copies: made,
      outcomes: await request.run({ files: altered, ids, timeoutMs }),
    }),
    { concurrency: AT_ONCE },
  );
  const { answers, dismissed, alarms } = await confirmAlarms({ request, copies, rounds, timeoutMs });
  const untold = alarms.length > 0 ? [] : await tellApart(request, located.sites, timeoutMs);
  const isForged = alarms.length + untold.length > 0;
  const stopsPassing = isForged ? [] : await findTestsThatStopPassing(request, located.sites, timeoutMs);
  return decideMustFail({
    stopsPassing,
    seed,
    sample,
    answers,
    notAltered: [...notAltered, ...dismissed],
    alarms: [...alarms, ...untold],
    definesEquality: !NATIVE_EQUALITY.test(runner),
  });
}

/** Runners of languages in which a product cannot redefine the equality of built-in values. */
const NATIVE_EQUALITY = /^(?:go|cargo|bats)$/;
