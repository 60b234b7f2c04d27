import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../../kernel/package-root.ts';
import { enclosingDirs, joinPaths, parentOf } from '../../deciding/path-parts.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import type { ApartForm, PlainTest } from '../forms/form.ts';
import { OWN_NAME, PROGRAM_DIR, programForm, RESULTS_FILE, tokenOf } from '../forms/program.ts';
import { asserted } from './tokens.ts';

const DRIVERS = 'src/run/judge/runners/shared/python/drivers';
const PROGRAM = ['in_program_given.py', 'in_program.py'];

/** Tests of pytest and unittest as functions of Python programs, one for each file. */
export function pythonProgram(
  tests: readonly PlainTest[],
  files: TestFiles,
  _base: TestFiles,
  often: boolean,
): ApartForm {
  const testFiles = [...new Set(tests.map(({ file }) => file))];
  const program = PROGRAM.map((name) => readFileSync(join(packageRoot(), DRIVERS, name), 'utf8')).join('\n');
  const replace = new Map<string, string>();
  const [build, start]: [string[], string[]] = [[], []];
  for (const [at, path] of testFiles.entries()) {
    const given = {
      dir: parentOf(path),
      path,
      text: files.read(path) ?? '',
      above: settingsAbove(path, files),
      word: `${OWN_NAME}${at}`,
      results: RESULTS_FILE,
      tests: tests.flatMap(({ id, file }, index) =>
        file === path ? [[tokenOf(index), tokenOf(index + tests.length), ...functionOf(id)]] : [],
      ),
    };
    const own = `${OWN_NAME}-${at}.py`;
    // In a separate namespace: the code can inspect the main module, whose names would reveal where it runs.
    const text = `GIVEN = ${JSON.stringify(JSON.stringify(given))}\n${program}`;
    replace.set(own, `exec(${JSON.stringify(text)}, {"__name__": "${OWN_NAME}"})\n`);
    build.push(`mv ${shellQuoted(own)} ${PROGRAM_DIR}/`);
    start.push(`python3 ${PROGRAM_DIR}/${own}`);
  }
  return programForm({
    tests: [...tests, ...tests.map(asserted)],
    replace,
    remove: testFiles,
    build,
    unneeded: [],
    start,
    often,
  });
}

/** The names that lead to a function in its file, and the parameters in brackets. */
function functionOf(id: string): readonly [readonly string[], string | null] {
  if (!id.includes('::')) return [id.split('.').slice(-2), null];
  const [, names = '', row] = /^.+?::([^[]*)(?:\[(.*)\])?$/s.exec(id) ?? [];
  return [names.split('::'), row ?? null];
}

/** The `conftest.py` of every directory above a file, outermost first. */
function settingsAbove(path: string, files: TestFiles): readonly (readonly [string, string])[] {
  return ['', ...enclosingDirs(path).toReversed()].flatMap((dir) => {
    const file = joinPaths(dir, 'conftest.py') ?? '';
    const text = files.paths.includes(file) ? files.read(file) : null;
    return text === null ? [] : [[file, text] as const];
  });
}
