import { languageOf } from '../../syntax/language.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import type { ApartForm, PlainTest } from '../forms/form.ts';
import { LoadableModules } from '../forms/loadable-modules.ts';
import { OWN_NAME, PROGRAM_DIR, programForm, RESULTS_FILE, tokenOf } from '../forms/program.ts';
import { otherPlace } from '../other-place.ts';
import { mentionsTimeOrPlace } from '../test-topics.ts';
import { JAVASCRIPT_PROGRAM } from './javascript-program.ts';
import { asserted } from './tokens.ts';

/** Tests of a JavaScript runner as functions of programs, one for each file. Null: Node.js cannot load what they use. */
export const javascriptProgram =
  (runner: string) =>
  async (tests: readonly PlainTest[], files: TestFiles, base: TestFiles, often: boolean): Promise<ApartForm | null> => {
    const testFiles = [...new Set(tests.map(({ file }) => file))];
    const word = `_${OWN_NAME}`;
    const { installed, away } = otherPlace(testFiles, base);
    const isForNode = runner === 'node-test' && testFiles.every((file) => languageOf(file, '') === 'javascript');
    const modules = new LoadableModules(files, testFiles, {
      prelude: '',
      moved: null,
      runner: `globalThis.${word}`,
      isForNode,
    });
    const [build, start]: [string[], string[]] = [[], []];
    const programs = new Map<string, string>();
    for (const [at, path] of testFiles.entries()) {
      const name = await modules.add(path);
      if (name === null) return null;
      const given = {
        file: name,
        word,
        runner,
        globals: runner !== 'node-test' && runner !== 'ava',
        results: RESULTS_FILE,
        away,
        ages: !mentionsTimeOrPlace(files.read(path) ?? ''),
        tests: tests.flatMap(({ id, file }, index) =>
          file === path ? [[tokenOf(index), tokenOf(index + tests.length), id.slice(id.indexOf('::') + 2)]] : [],
        ),
      };
      const own = `${OWN_NAME}-${at}.mjs`;
      programs.set(own, `const GIVEN = ${JSON.stringify(JSON.stringify(given))};\n${JAVASCRIPT_PROGRAM}`);
      build.push(`mv ${shellQuoted(own)} ${PROGRAM_DIR}/`);
      start.push(`node ${PROGRAM_DIR}/${own}`);
    }
    const form = programForm({
      tests: [...tests, ...tests.map(asserted)],
      replace: new Map([...modules.texts, ...programs]),
      remove: testFiles,
      build,
      unneeded: [],
      start,
      often,
    });
    return { ...form, installed };
  };
