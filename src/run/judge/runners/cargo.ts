import { WORKSPACE } from '../sandbox/layout.ts';
import { withoutOptions } from '../command/options.ts';

const OWN = {
  flags: ['-q', '--quiet', '-v', '-vv', '--verbose', '--no-fail-fast', '--offline', '--no-run'],
  valued: ['--message-format', '--color', '--target-dir', '--manifest-path', '-C'],
};
/** Of the test programs themselves: all that would change what their lines look like. */
const OWN_TEST_OPTIONS = {
  flags: ['-q', '--quiet', '--nocapture', '--no-capture', '--show-output', '--report-time', '--shuffle', '--list'],
  valued: ['--test-threads', '--format', '--color', '--logfile', '-Z', '--shuffle-seed'],
};
const TARGETS = /^--(?:test|tests|lib|bins?|examples?|bench(?:es)?|doc|all-targets)(?:=|$)/;

/** `at`: the name that a path has for the command. */
export function cargoArguments(
  args: readonly string[],
  sealed: boolean,
  at: (path: string) => string,
): readonly string[] {
  const end = args.indexOf('--');
  const own = withoutOptions(end < 0 ? args : args.slice(0, end), OWN);
  const tests = withoutOptions(end < 0 ? [] : args.slice(end + 1), OWN_TEST_OPTIONS);
  const targets = sealed && !own.some((word) => TARGETS.test(word)) ? ['--test=*'] : [];
  return [
    'test',
    '--offline',
    '--no-fail-fast',
    // What is built is said on stdout, in order with what it says itself; errors of the compiler stay readable.
    '--message-format=json-render-diagnostics',
    `--manifest-path=${at(`${WORKSPACE}/${manifest(args)}`)}`,
    ...targets,
    ...own,
    '--',
    '--test-threads=1',
    ...tests,
  ];
}

function manifest(args: readonly string[]): string {
  const index = args.findIndex((word) => /^--manifest-path(?:=|$)/.test(word));
  const value = index < 0 ? '' : (/^--manifest-path=(.*)$/.exec(args[index] ?? '')?.[1] ?? args[index + 1] ?? '');
  return value.replace(/^(?:\.\/|\/workspace\/)/, '') || 'Cargo.toml';
}
