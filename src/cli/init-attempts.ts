import { reasonTexts } from '../evidence/reasons/reason.ts';
import type { BaseRecord } from '../evidence/schema/base-record.ts';
import { isFailing } from '../run/judge/change/compare.ts';
import type { Survey } from '../run/survey.ts';
import type { Detected } from '../task/detect.ts';

/** Commands that may set a repository up and run its tests. */
export interface InitAttempt {
  readonly test: string;
  readonly setup: string | null;
}

export interface Tried extends InitAttempt {
  readonly survey: Survey;
}

/** Commands to try, most likely first. A flag leaves no choice. */
export function attemptsFor(
  found: Detected,
  { test, setup }: { readonly test?: string | undefined; readonly setup?: string | undefined },
): readonly InitAttempt[] {
  const tests = test === undefined ? [found.testCommand, ...found.otherTests].filter((one) => one !== null) : [test];
  const setups = setup === undefined ? setupsOf(found) : [setup.trim() === '' ? null : setup];
  return tests.flatMap((one) => setups.map((other) => ({ test: one, setup: other })));
}

function setupsOf({ setupCommand, otherSetups }: Detected): readonly (string | null)[] {
  return setupCommand === null ? [null, ...otherSetups] : [setupCommand, ...otherSetups, null];
}

/** The setup to write down. That nothing was set up is said too where `run` would set something up by itself. */
export function writtenSetup({ setup }: InitAttempt, { setupCommand }: Detected): string | null {
  return setup ?? (setupCommand === null ? null : '');
}

/**
 * Whether a further attempt may find more: another test command where no test passed, another setup where some failed. A setup by
 * lockfile is what the project itself says: others are tried only where nothing passed with it.
 */
export function isWorthTrying(attempt: InitAttempt, tried: readonly Tried[], { setupCommand }: Detected): boolean {
  if (tried.some(({ survey }) => isGreen(survey))) return false;
  const succeeded = tried.filter(({ survey }) => passedIn(survey) > 0);
  if (succeeded.some(({ test }) => test !== attempt.test)) return false;
  return !succeeded.some(({ setup }) => setup !== null && setup === setupCommand);
}

/** The attempt with the most passing tests; of those without any, the one that came furthest. */
export function bestOf(tried: readonly Tried[]): Tried | undefined {
  return tried.toSorted((a, b) => rankOf(b.survey) - rankOf(a.survey))[0];
}

function rankOf(survey: Survey): number {
  if (survey.kind === 'recorded')
    return reportsTests(survey) ? 1 + passedIn(survey) : survey.record.exit_code === 0 ? 0.5 : 0;
  const codes = survey.reasons.map(({ code }) => code);
  // Another attempt sets up what is missing, and its own problem says more.
  return codes.includes('not_installed') || codes.includes('missing_test_command') ? -2 : -1;
}

const isGreen = (survey: Survey): boolean =>
  survey.kind === 'recorded' && reportsTests(survey) && !survey.record.tests.some(isFailing);

const reportsTests = (survey: Extract<Survey, { kind: 'recorded' }>): boolean =>
  survey.record.tests.length > 0 && !loadsOtherCopy(survey);

function passedIn(survey: Survey): number {
  if (survey.kind === 'unusable' || loadsOtherCopy(survey)) return 0;
  return survey.record.tests.filter(({ outcome }) => outcome === 'passed').length;
}

/** Tests that read none of the repository's packages test an installed copy, which no change reaches. */
function loadsOtherCopy({ record, packages }: Extract<Survey, { kind: 'recorded' }>): boolean {
  if (!record.tests.some(({ outcome }) => outcome === 'passed')) return false;
  return record.found_by !== 'names' && packages.length > 0 && !packages.some((dir) => readsBelow(record, dir));
}

const readsBelow = ({ read }: BaseRecord, dir: string): boolean => read.some((path) => path.startsWith(`${dir}/`));

/** One attempt in a few words. */
export function outcomeText(survey: Survey): string {
  if (survey.kind === 'unusable') return reasonTexts(survey.reasons)[0] ?? 'not usable';
  if (loadsOtherCopy(survey))
    return `the tests load ${survey.packages.join(', ')} from outside of the repository, where no change reaches it`;
  const { tests, exit_code: exitCode } = survey.record;
  if (tests.length === 0) return `no tests reported, exit code ${exitCode ?? 'none'}`;
  return `${passedIn(survey)} passed, ${tests.filter(isFailing).length} failed`;
}
