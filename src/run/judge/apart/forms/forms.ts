import type { TestFiles } from '../../must-fail/locate/site.ts';
import { batsForm } from './bats.ts';
import { cargoForm } from './cargo.ts';
import { doctestForm } from './doctest.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { goForm } from './go.ts';
import { javascriptForm } from './javascript.ts';

/** `base`: the tree before the patch. */
type MakeForm = (
  tests: readonly PlainTest[],
  files: TestFiles,
  base: TestFiles,
) => ApartForm | null | Promise<ApartForm | null>;

/** By the runner's name. */
const FORMS: Readonly<Record<string, MakeForm>> = {
  vitest: javascriptForm,
  jest: javascriptForm,
  mocha: javascriptForm,
  ava: javascriptForm,
  go: goForm,
  cargo: cargoForm,
  bats: batsForm,
  doctest: doctestForm,
};

/** Runners whose tests only call and compare, so that the code gets its own sandbox. */
const IN_TWO_SANDBOXES = new Set(['pytest', 'unittest', 'node-test', 'vitest', 'jest', 'mocha', 'ava']);

export const needsPlainTests = (runner: string): boolean => IN_TWO_SANDBOXES.has(runner);

export const canRunApart = (runner: string): boolean => IN_TWO_SANDBOXES.has(runner) || Object.hasOwn(FORMS, runner);

/** Runners whose tests are rewritten to run without them. Other tests must show that the rewritten form means the same. */
export const hasOtherForm = (runner: string): boolean => Object.hasOwn(FORMS, runner);

/** The form in which the tests run without their runner; undefined: unchanged. Null: these tests cannot. */
export async function formOf(
  runner: string,
  tests: readonly PlainTest[],
  files: TestFiles,
  base: TestFiles = files,
): Promise<ApartForm | null | undefined> {
  return Object.hasOwn(FORMS, runner) ? ((await FORMS[runner]?.(tests, files, base)) ?? null) : undefined;
}
