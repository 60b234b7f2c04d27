import type { CommandLine } from '../../command/command-line.ts';
import type { RunnerDefinition } from '../definition.ts';
import { prepareJunit } from './prepare.ts';

/** Options by which programs are told where to write the report. */
const OPTION =
  /^--?(?:junitxml|junit-xml|junitfile|junit-file|junit-path|junit-output|junit-report|log-junit|output-junit|reporter-outfile)(?:=(.+))?$/;
const OUTPUT = /^--(?:outputFile|output-file|output|out)(?:=(.+))?$/;
const OUTPUT_VARIABLES = ['JEST_JUNIT_OUTPUT_FILE', 'MOCHA_FILE'];

export const junit: RunnerDefinition = {
  name: 'junit',
  manual: {
    commands:
      'any other command with `--junitxml=<file>`, `--log-junit <file>`, `--output-junit <file>`, `--reporter junit --outputFile <file>`',
    calledAs:
      'as a script; the file, which must not be there before, is read after the run. The code under test could have written it, and the report says so',
    ids: '`classname::name`',
  },
  blackBox: false,
  match(line) {
    const [program = '', ...args] = line.words;
    // A launcher of `go test`, whose results are read by test id.
    if (/(?:^|\/)gotestsum$/.test(program)) return null;
    const report = reportOf(line);
    return report === null ? null : { runner: 'junit', program, args, report };
  },
  prepare: (request, command) => prepareJunit(request, command),
  // The program behind it is not known.
  select: () => null,
  fileOf: () => null,
};

/** ctest writes its report below the directory of the build. */
const inTestDir = (report: string, testDir: string | null): string =>
  testDir === null || report.startsWith('/') ? report : `${testDir}/${report}`;

function reportOf({ words, env }: CommandLine): string | null {
  const valueAt = (pattern: RegExp): string | null => {
    const at = words.findIndex((word) => pattern.test(word));
    return at < 0 ? null : (pattern.exec(words[at] ?? '')?.[1] ?? words[at + 1] ?? null);
  };
  const named = valueAt(OPTION);
  if (named !== null) return inTestDir(named, valueAt(/^--test-dir(?:=(.+))?$/));
  const isJunit = words.some(
    (word, at) =>
      /^(?:--reporter=junit|--format=junit)$/.test(word) ||
      (/^(?:--reporter|--format|-R)$/.test(words[at - 1] ?? '') && /junit/i.test(word)),
  );
  if (!isJunit) return null;
  return valueAt(OUTPUT) ?? env.find(([name]) => OUTPUT_VARIABLES.includes(name))?.[1] ?? null;
}
