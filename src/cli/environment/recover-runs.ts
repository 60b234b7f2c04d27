import { ALL_REASONS, reportFieldsOf } from '../../engines/list.ts';
import { bundleDirs } from '../../evidence/comparison/store.ts';
import { removeAbandoned } from '../../evidence/bundle/temporary.ts';
import { type Recovery, recoverRuns } from '../../evidence/recover/recover.ts';
import { describeBundle } from '../../evidence/report/write-pages.ts';
import { rescuer } from '../../run/recover/rescue.ts';
import { createRunEnvironment } from './run-environment.ts';
import { readSettings } from './settings.ts';

/** The same in a runs directory and in every comparison that it holds. */
export async function recoverAllIn(runsDir: string): Promise<readonly Recovery[]> {
  const recovered: Recovery[] = [];
  for (const dir of bundleDirs(runsDir)) recovered.push(...(await recoverRunsIn(dir)));
  return recovered;
}

/** Seals what interrupted runs left in a runs directory, with the key and the secrets of this machine. */
export async function recoverRunsIn(runsDir: string): Promise<readonly Recovery[]> {
  await removeAbandoned();
  const { key, clock, secrets } = createRunEnvironment(readSettings(process.cwd()), { confine: 'bubblewrap', runsDir });
  return recoverRuns(runsDir, {
    key,
    clock,
    describe: (bundle, report, events) => describeBundle(bundle, report, events, ALL_REASONS),
    examine: rescuer({ secrets, variables: Object.keys(process.env) }),
    engineFields: reportFieldsOf,
  });
}
