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

/** Their tests only call and compare, and the code gets a sandbox of its own. */
const IN_TWO_SANDBOXES = new Set(['pytest', 'unittest', 'node-test', 'vitest', 'jest', 'mocha', 'ava']);

export const needsPlainTests = (runner: string): boolean => IN_TWO_SANDBOXES.has(runner);

export const canRunApart = (runner: string): boolean => IN_TWO_SANDBOXES.has(runner) || Object.hasOwn(FORMS, runner);

/** They run apart in words of ours: that these mean the same has to be seen on other tests. */
export const hasOtherForm = (runner: string): boolean => Object.hasOwn(FORMS, runner);

/** Another form of the tests; undefined: they run apart as they are. Null: these cannot. */
export async function formOf(
  runner: string,
  tests: readonly PlainTest[],
  files: TestFiles,
  base: TestFiles = files,
): Promise<ApartForm | null | undefined> {
  return Object.hasOwn(FORMS, runner) ? ((await FORMS[runner]?.(tests, files, base)) ?? null) : undefined;
}
