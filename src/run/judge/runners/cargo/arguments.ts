import type { ToolchainPlace } from '../shared/toolchain.ts';
import { WORKSPACE } from '../../sandbox/layout.ts';
import { withoutOptions } from '../../command/options.ts';

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

/** `manifestPath`: as seen inside. */
export function cargoArguments({ args, sealed, only, at }: ToolchainPlace, manifestPath: string): readonly string[] {
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
    `--manifest-path=${at(manifestPath)}`,
    ...targets,
    ...own,
    '--',
    '--test-threads=1',
    ...(only === undefined ? tests : selecting(tests, only)),
  ];
}

const DOC_TEST = /^(\S+) - (?:(\S+) )?\((?:line|example) \d+\)/;

/** By names, in every test program: more may run than was asked for, never less. */
function selecting(tests: readonly string[], only: readonly string[]): readonly string[] {
  const options = tests.filter((word) => word.startsWith('-') && word !== '--exact');
  // The id of a whole program, or of one that was not built: it may hold anything.
  if (only.some((id) => !id.includes('::') && !id.includes(' - '))) return options;
  // rustdoc takes a name with blanks in it for several: of an example, the name of what it explains has to do.
  const names = only.map((id) => {
    const [, file, item] = DOC_TEST.exec(id) ?? [];
    return item ?? file ?? id.slice(id.indexOf('::') + 2);
  });
  const isExact = !only.some((id) => DOC_TEST.test(id));
  return [...options, ...(isExact ? ['--exact'] : []), ...new Set(names)];
}

export function cargoManifest({ args, dir }: ToolchainPlace): string {
  const index = args.findIndex((word) => /^--manifest-path(?:=|$)/.test(word));
  const value = index < 0 ? '' : (/^--manifest-path=(.*)$/.exec(args[index] ?? '')?.[1] ?? args[index + 1] ?? '');
  if (value.startsWith(`${WORKSPACE}/`)) return value;
  return `${dir}/${value.replace(/^\.\//, '') || 'Cargo.toml'}`;
}
