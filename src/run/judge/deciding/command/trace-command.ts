import type { Readers } from '../../../../task/project-files.ts';
import { ecosystemOf } from '../languages.ts';
import { nameOf } from '../path-parts.ts';
import { assertionWord } from '../product/assertion-words.ts';
import { inTestDir, isTestName } from '../test-names.ts';
import { followText } from './follow.ts';
import { CommandWalk } from './steps.ts';

/** Files of the tree that a test command leads through: `starts_runner` and `before_runner` of the facts. */
export interface CommandTrace {
  /** They start the runner, or are the test themselves. */
  readonly starts: readonly string[];
  /** They run before it and make something: generators. */
  readonly before: readonly string[];
  /** What it makes: `<Makefile>#<target>`. */
  readonly targets: readonly string[];
}

const MAKES_THINGS =
  /(?:^|[-_.])(?:gen|generate|generator|build|compile|codegen|configure|prepare|setup|install|bundle|transpile|clean|format|lint|fetch|download)(?:[-_.]|$)/i;

export function traceCommand(command: string, tree: Readers): CommandTrace {
  const walk = new CommandWalk(tree);
  const steps = followText(command, '', walk);
  const files = [...new Set(steps.flatMap(({ file }) => file ?? []))];
  const lastRunner = steps.findLastIndex(({ kind }) => kind === 'runner');
  const isTest = (file: string): boolean => isTestName(file) || inTestDir(file);
  const tried = new Set(
    files.filter((file) => {
      const own = steps.filter((step) => step.file === file);
      const isTried = own.every(({ kind, by }) => kind === 'other' && by !== undefined && isTest(by));
      return lastRunner < 0 && isTried && isProgram(file, tree) && !isTest(file) && !soundsLikeTest(file, tree);
    }),
  );
  const starts = files.filter((file) => {
    if (tried.has(file)) return false;
    if (steps.some((step) => step.file === file && step.kind !== 'other')) return true;
    if (isTest(file) || soundsLikeTest(file, tree)) return true;
    const own = steps.findLastIndex((step) => step.file === file);
    // Without a runner, anything that the command names may be the test; with one, the last runner decides.
    return lastRunner < 0 ? own === steps.length - 1 || !MAKES_THINGS.test(nameOf(file)) : own > lastRunner;
  });
  return {
    starts,
    before: files.filter((file) => !starts.includes(file) && !tried.has(file)),
    targets: walk.entered.filter((name) => name.includes('#')),
  };
}

const DECIDES_BY_NAME =
  /test|check|verif|compar|diff|assert|expect|valid|match|lint|judge|report|fail|pass|^run|^all$|^ok$/i;

const PROGRAM_NAME = /^[a-z][\w-]*(?:\.(?:sh|bash|py|pl|rb|php|lua|awk|tcl|[cm]?js|ts))?$/i;

/** Judged by location and name, a program under test, not one that compares or decides for the tests. */
function isProgram(file: string, { read }: Readers): boolean {
  const name = nameOf(file);
  const isNamedSo = /^(?:[^/]+|(?:bin|src|lib|libexec)\/.+)$/.test(file) && PROGRAM_NAME.test(name);
  return isNamedSo && !DECIDES_BY_NAME.test(name) && !/\b(?:diff|cmp|comm)\b/.test(read(file) ?? '');
}

function soundsLikeTest(file: string, { read }: Readers): boolean {
  const ecosystem = ecosystemOf(file, read);
  return ecosystem !== null && assertionWord(ecosystem, read(file) ?? '') !== null;
}
