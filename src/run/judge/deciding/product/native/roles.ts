import { nameOf } from '../../path-parts.ts';
import { inTestDir, isSupportName, isTestName } from '../../test-names.ts';
import { readBuildTargets } from './build-targets.ts';
import { doubtfulRole, productRole, type Role, supportRole } from '../role.ts';
import type { Sources } from '../sources.ts';

const TEST_LIBRARY =
  /^(?:unity(?:_\w+)?|catch(?:2|_\w+)?|doctest|gtest|gmock|minunit|munit|greatest|acutest|utest|cmocka\w*|criterion|cutest)\.(?:c|cc|cpp|h|hh|hpp|hxx)$/i;
const PRINTS = /\b(?:v?f?printf|puts|fputs|putchar|putc|fputc|fwrite|write|cout)\b/;
const ASSERTS =
  /\b(?:PASS|FAIL)(?:ED|URE)?\b|\bnot ok\b|assert|\b(?:CHECK|EXPECT|REQUIRE)\w*\s*\(|\b(?:test|check|expect)_\w+\s*\(/i;
const SAYS_RESULT = /\b(?:PASS|FAIL)(?:ED|URE)?\b|\bnot ok\b|\bexpected\b/i;

/** C, C++ and Java: every source that is not collected, does not belong to a test target and is not named as a test. */
export function nativeRoles(sources: Sources): Map<string, Role> {
  const roles = new Map<string, Role>();
  const targets = readBuildTargets(sources);
  const ofTests = new Set(targets.filter((target) => target.isTest).flatMap((target) => [...target.sources]));
  const ofProduct = new Set(targets.filter((target) => !target.isTest).flatMap((target) => [...target.sources]));
  const ofPrograms = new Set(targets.filter((target) => target.isStarted).flatMap((target) => [...target.sources]));
  const starts = new Set(sources.facts.starts_runner);
  for (const path of sources.tree.paths) {
    const ecosystem = sources.ecosystem(path);
    if ((ecosystem !== 'c' && ecosystem !== 'java') || sources.collected.has(path) || starts.has(path)) continue;
    const role = roleOf(sources, path, {
      ofTests: ofTests.has(path),
      ofProduct: ofProduct.has(path),
      ofStarted: ofPrograms.has(path),
      hasOthers: ofProduct.size > 0,
    });
    if (role !== null) roles.set(path, role);
  }
  return roles;
}

interface Targets {
  readonly ofTests: boolean;
  readonly ofProduct: boolean;
  readonly ofStarted: boolean;
  /** Some target that is no test names sources. */
  readonly hasOthers: boolean;
}

function roleOf(sources: Sources, path: string, { ofTests, ofProduct, ofStarted, hasOthers }: Targets): Role | null {
  if (ofProduct && !inTestDir(path)) return productRole(true);
  if (TEST_LIBRARY.test(nameOf(path))) return supportRole('a test library');
  if (inTestDir(path)) return null;
  if (isTestName(path)) return null;
  if (!ofTests) return isSupportName(path) ? null : productRole(true);
  // Only a test target names it: the code under test, a helper, or the test's own program.
  const text = sources.text(path);
  const main = /^(?:int|void)\s+main\s*\(/m.exec(text)?.index;
  if (main !== undefined) {
    // Tests start it and look at what it prints.
    if (ofStarted && PRINTS.test(text) && !ASSERTS.test(withoutComments(text))) return productRole(true);
    // Small libraries bring their test along, behind `#ifdef`.
    return isConditional(text.slice(0, main))
      ? doubtfulRole('only_words', 'holds the program of a test')
      : supportRole('the program of a test target');
  }
  if (isSupportName(path)) return supportRole('part of a test target only');
  return SAYS_RESULT.test(withoutComments(text))
    ? doubtfulRole('only_words', 'is part of a test target only and reports results')
    : hasOthers
      ? doubtfulRole('not_reached')
      : productRole(true);
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '');

function isConditional(before: string): boolean {
  const opened = before.match(/^[ \t]*#[ \t]*if/gm)?.length ?? 0;
  return opened > (before.match(/^[ \t]*#[ \t]*endif/gm)?.length ?? 0);
}
