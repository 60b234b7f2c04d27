import type { Row } from '../row.ts';
import { evidenceRows } from './evidence.ts';
import { FILE_FORGERS } from './files.ts';
import { FLOODING_FORGERS } from './floods.ts';
import { type Forger, forgerRow } from './forger.ts';
import { GIT_FORGERS } from './git.ts';
import { GUARDED_FORGERS } from './guarded.ts';
import { LOST_TEST_FORGERS } from './lost-tests.ts';
import { PACKAGE_FORGERS } from './packages.ts';
import { PEEKING_FORGERS } from './peeking.ts';
import { WORKS_FOR_TESTS } from './repository/apart.ts';
import { BREAKS_WHAT_WORKED } from './repository/conditions/kept.ts';
import { WORKS_BESIDE_OBJECTS } from './repository/conditions/in-program.ts';
import { EQUAL_TO_ALL } from './repository/comparisons/cannot-fail.ts';
import { NOTHING_TO_ASK } from './repository/comparisons/nothing-to-ask.ts';
import { SWALLOWED } from './repository/comparisons/swallowed.ts';
import { BREAKS_AMONG_OTHERS } from './repository/together.ts';
import { ACTING_CODE, ENDING_CODE } from './repository/code.ts';
import { CHANGED_TESTS, FOR_OTHERS, INLINE_TESTS, PLANTED_PACKAGES, PLANTED_SETTINGS } from './repository/files.ts';
import { EMPTIED_COMPARISONS } from './repository/comparisons/emptied-comparisons.ts';
import { FORGING_CODE } from './repository/forging.ts';
import { DEAF_SCRIPTS } from './repository/comparisons/scripts.ts';
import { LENIENT_TYPES } from './repository/comparisons/lenient-types.ts';
import { SAYS_YES } from './repository/comparisons/says-yes.ts';
import { LINKED_CODE } from './repository/linked.ts';
import { TAKEN_NAMES } from './repository/comparisons/taken-names.ts';
import { LOOKED_FOR } from './repository/looked-for.ts';
import { RENAMING_CODE } from './repository/named.ts';
import { HIDDEN_FROM_REVIEW } from './repository/hidden.ts';
import { PACKAGE_RUNNERS } from './repository/package-runners.ts';
import { PACKAGE_SETTINGS } from './repository/package-settings.ts';
import { STALE_BUILDS } from './repository/stale-build.ts';
import { KNOWS_WHERE_IT_LIVES } from './repository/conditions/elsewhere.ts';
import { ALONE } from './repository/conditions/alone.ts';
import { WEARS_OUT } from './repository/conditions/worn-out.ts';
import { FAILS_IN_EVERYDAY_USE } from './repository/conditions/everyday.ts';
import { KNOWS_LIVES_OF_PEOPLE } from './repository/conditions/lives.ts';
import { KNOWS_ITS_PLACE } from './repository/conditions/places.ts';
import { EMPTIED_CHECKS } from './repository/shared-checks.ts';
import { fittedRows } from './repository/fitted.ts';
import { SETTINGS_FORGERS } from './settings.ts';
import { suiteForgers, unstoppableRows } from './suite-forgers.ts';
import { WORD_FORGERS } from './words.ts';

/** Every forger, grouped by method; last, those that cannot be stopped and that the report must warn about. */
export function forgerRows(): Row[] {
  const groups: Readonly<Record<string, readonly Forger[]>> = {
    'claims and papers': WORD_FORGERS,
    'tests and their settings': [...SETTINGS_FORGERS, ...PACKAGE_FORGERS],
    'tests that were there before': LOST_TEST_FORGERS,
    'changed tests of a repository': [...CHANGED_TESTS, ...EMPTIED_CHECKS],
    'tests in files of the product': INLINE_TESTS,
    'planted settings': PLANTED_SETTINGS,
    'files that tests look for': LOOKED_FOR,
    'planted packages': PLANTED_PACKAGES,
    'stale builds': STALE_BUILDS,
    'files for others than the tests': FOR_OTHERS,
    'code that ends, skips or rewrites tests': ENDING_CODE,
    'code that renames tests': RENAMING_CODE,
    'code that forges results': FORGING_CODE,
    'code that acts on tests': ACTING_CODE,
    'code that hides how it knows tests': HIDDEN_FROM_REVIEW,
    'code that works only for tests': [
      ...WORKS_FOR_TESTS,
      ...WORKS_BESIDE_OBJECTS,
      ...BREAKS_WHAT_WORKED,
      ...KNOWS_ITS_PLACE,
      ...FAILS_IN_EVERYDAY_USE,
      ...KNOWS_WHERE_IT_LIVES,
      ...KNOWS_LIVES_OF_PEOPLE,
      ...WEARS_OUT,
      ...ALONE,
    ],
    'code that no test can fail': [
      ...EQUAL_TO_ALL,
      ...SWALLOWED,
      ...NOTHING_TO_ASK,
      ...LENIENT_TYPES,
      ...EMPTIED_COMPARISONS,
      ...SAYS_YES,
      ...TAKEN_NAMES,
      ...DEAF_SCRIPTS,
      ...LINKED_CODE,
    ],
    'code that breaks tests only together': BREAKS_AMONG_OTHERS,
    'runners that lie in node_modules': [...PACKAGE_RUNNERS, ...PACKAGE_SETTINGS],
    'the test runner': suiteForgers(),
    git: GIT_FORGERS,
    'what no engine may change': GUARDED_FORGERS,
    'files and links': FILE_FORGERS,
    excess: FLOODING_FORGERS,
    'what is hidden from it': PEEKING_FORGERS,
  };
  const caught = Object.entries(groups).flatMap(([kind, forgers]) => forgers.map((forger) => forgerRow(kind, forger)));
  return [...caught, ...evidenceRows(), ...fittedRows(), ...unstoppableRows()];
}
