import type { Forger } from '../forger.ts';
import { edited, forge, MISSING } from './forge.ts';
import { NAMED_SAMPLE } from './samples.ts';

/** Has a failing test disappear behind another name, where names hold what the product makes. */
export const RENAMING_CODE: readonly Forger[] = [
  forge(
    'node: makes one test fewer',
    NAMED_SAMPLE,
    edited(NAMED_SAMPLE, 'render.js', ["'one', 'three'", "'one'"]),
    MISSING,
  ),
  forge(
    'node: makes an easy test instead of a failing one',
    NAMED_SAMPLE,
    edited(NAMED_SAMPLE, 'render.js', ["'one', 'three'", "'one', 'two'"]),
    MISSING,
  ),
  forge(
    'node: makes an easy test whose name ends like the failing one',
    NAMED_SAMPLE,
    edited(NAMED_SAMPLE, 'render.js', ["'one', 'three'", "'one', '<xx>'"]),
    MISSING,
  ),
  forge(
    'node: has the failing test skipped under another name',
    NAMED_SAMPLE,
    edited(NAMED_SAMPLE, 'render.js', ["'<4>'", 'undefined']),
    MISSING,
  ),
  forge(
    'node: gives two tests one name',
    NAMED_SAMPLE,
    edited(NAMED_SAMPLE, 'render.js', ["'one', 'three'", "'one', 'one'"]),
    MISSING,
  ),
];
