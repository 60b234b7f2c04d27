import type { TestFiles } from '../../must-fail/locate/site.ts';
import { STAND_IN } from './expectations.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { LoadableModules } from './loadable-modules.ts';
import { movedDir } from '../keep-apart.ts';

/**
 * Tests of a JavaScript runner as tests of Node.js itself, with modules that Node.js can load: without types, with full file names.
 * Null: some of it cannot be converted.
 */
export async function javascriptForm(tests: readonly PlainTest[], files: TestFiles): Promise<ApartForm | null> {
  const testFiles = [...new Set(tests.map((test) => test.file))];
  const modules = new LoadableModules(files, testFiles, { prelude: STAND_IN, moved: movedDir(testFiles) });
  const names = new Map<string, string>();
  for (const file of testFiles) {
    const name = await modules.add(file);
    if (name === null) return null;
    names.set(file, name);
  }
  return {
    command: 'node --test',
    replace: modules.texts,
    remove: testFiles,
    apart: [...names.values()],
    mayNotLoad: modules.usesOthers,
    nameOf: (id) => {
      const file = /^(?:\|[^|]*\| )?(.+?)::/.exec(id)?.[1] ?? id;
      const title = id.slice(id.indexOf('::'));
      return `${names.get(file) ?? file}${title}`;
    },
  };
}
