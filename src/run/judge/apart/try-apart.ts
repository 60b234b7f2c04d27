import type { RepeatOutcome } from '../change/stability.ts';
import type { PlainTest } from './forms/form.ts';
import { emptiedTests } from './emptied.ts';
import { canRunApart, hasOtherForm } from './forms/forms.ts';
import { plainTests } from './plain-tests.ts';
import { runApart } from './run-apart.ts';
import { type ApartRequest, type ApartVerdict, blameTests, NOT_TRIED_APART } from './apart-verdict.ts';
import { tryExitInLogin } from './exit-in-login.ts';
import { tryInProgram } from './in-program/try-in-program.ts';
import { hasUsualSurroundings } from './usual-surroundings.ts';

/** Enough to see whether tests of this repository can run this way at all. */
const MAX_CALIBRATING = 10;

/**
 * Runs fixed tests without their runner: with the code in a sandbox of its own, or as functions of an ordinary program. Code that works
 * only while it is tested fails there, however it detects tests.
 */
export async function tryApart(request: ApartRequest): Promise<ApartVerdict> {
  if (request.record.tests.length === 0 && request.asks) return tryExitInLogin(request);
  const apart = await tryInSandboxes(request);
  if (apart.faults.length > 0) return apart;
  // Only as programs do they run several times in one place, and for long.
  const left = request.leavesSomething ? request.fixed : request.fixed.filter((id) => !apart.passed.includes(id));
  if (left.length === 0) return apart;
  const { passed, faults } = await tryInProgram(request, left);
  return { passed: [...new Set([...apart.passed, ...passed])], faults };
}

async function tryInSandboxes(request: ApartRequest): Promise<ApartVerdict> {
  const { record, bench, baseBench, fixed, kept, deciding, base, fileOf } = request;
  const { runner } = record;
  if (!canRunApart(runner)) return NOT_TRIED_APART;
  if (hasOtherForm(runner) && !hasUsualSurroundings(runner, record.test_command, base)) return NOT_TRIED_APART;
  const tests = await plainTests(runner, fixed, deciding, fileOf);
  if (tests.length === 0) return NOT_TRIED_APART;
  const first = await runApart(runner, bench, deciding, base, tests);
  const passed = tests.filter(({ id }) => first.get(id) === 'passed').map(({ id }) => id);
  const doubtful = tests.filter(({ id }) => isDoubtful(first.get(id)));
  if (doubtful.length === 0) return { passed, faults: [] };
  const again = await runApart(runner, bench, deciding, base, doubtful);
  const calibrating = calibratingTests(await plainTests(runner, kept.slice(0, 50), deciding, fileOf), doubtful);
  const onBase = await runApart(runner, baseBench, base, base, [...doubtful, ...calibrating]);
  const canRun = calibrating.length > 0 || !hasOtherForm(runner) ? [] : await passEmptied(request, doubtful);
  const unloaded = new Set(record.tests.filter(({ outcome }) => outcome === 'error').map(({ id }) => id));
  const blamed = doubtful.filter(({ id, file }) => {
    // If tests that passed before fail without their runner even on the base, failing this way proves nothing.
    const nearest = calibrating.filter((one) => one.file === file);
    const shown = nearest.length > 0 ? nearest : calibrating;
    if (shown.some((one) => onBase.get(one.id) !== 'passed')) return false;
    if (shown.length === 0 && hasOtherForm(runner) && !canRun.includes(id)) return false;
    return unloaded.has(file)
      ? first.get(id) === 'failed' && again.get(id) === 'failed'
      : onBase.get(id) === 'failed' && isDoubtful(again.get(id));
  });
  return { passed, faults: blameTests(blamed) };
}

/** If no test passed before: the tests that pass in their other form once they do nothing. */
async function passEmptied(
  { record: { runner }, bench, deciding, base }: ApartRequest,
  tests: readonly PlainTest[],
): Promise<readonly string[]> {
  const emptied = await emptiedTests(runner, deciding, tests);
  if (emptied.tests.length === 0) return [];
  const outcomes = await runApart(runner, bench, emptied.tree, base, emptied.tests);
  return emptied.tests.map(({ id }) => id).filter((id) => outcomes.get(id) === 'passed');
}

/** Up to this many tests that passed before must also pass. */
const MAX_KEPT = 30;

/** Whether all fixed tests, and others that passed before, also pass without their runner. At least one must have been tried. */
export async function passApart(request: ApartRequest): Promise<boolean> {
  const { record, bench, baseBench, fixed, kept, deciding, base, fileOf } = request;
  const { runner } = record;
  if (!canRunApart(runner)) return false;
  if (hasOtherForm(runner) && !hasUsualSurroundings(runner, record.test_command, base)) return false;
  const tests = await plainTests(runner, [...fixed, ...kept.slice(0, MAX_KEPT)], deciding, fileOf);
  if (tests.length === 0) return false;
  const outcomes = await runApart(runner, bench, deciding, base, tests);
  const hasPassed = new Set(tests.filter(({ id }) => outcomes.get(id) === 'passed').map(({ id }) => id));
  if (hasPassed.size === 0 || fixed.some((id) => !hasPassed.has(id))) return false;
  const failing = tests.filter(({ id }) => isDoubtful(outcomes.get(id)));
  if (failing.length === 0) return true;
  const onBase = await runApart(runner, baseBench, base, base, failing);
  return failing.every(({ id }) => onBase.get(id) !== 'passed');
}

/** Tests that pass before and after the patch, preferably from the same files. */
function calibratingTests(kept: readonly PlainTest[], doubtful: readonly PlainTest[]): readonly PlainTest[] {
  const files = new Set(doubtful.map(({ file }) => file));
  const near = kept.filter(({ file }) => files.has(file));
  return [...near, ...kept.filter((test) => !near.includes(test))].slice(0, MAX_CALIBRATING);
}

/** Not reported: the code ended its process. Skipped: a value that the test needs cannot be passed between the sandboxes. */
const isDoubtful = (outcome: RepeatOutcome | undefined): boolean => outcome === 'failed' || outcome === undefined;
