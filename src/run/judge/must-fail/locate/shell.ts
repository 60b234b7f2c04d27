import { languageOf } from '../../syntax/language.ts';
import { batsName } from '../parse-tests.ts';
import { foundAt, type Located, notFound, type TestSources } from './site.ts';

/** `path::name`, or the name alone: a test of bats, or a function. */
export async function locateShell(id: string, sources: TestSources): Promise<Located> {
  const [, given, rest] = /^(.+?)::(.*)$/s.exec(id) ?? [];
  const name = rest ?? id;
  const paths = given === undefined ? sources.paths : [given];
  for (const path of paths) {
    const text = sources.text(path);
    if (text === null || languageOf(path, text) !== 'bash') continue;
    const tree = await sources.tree(path);
    const tests = [...(tree?.root.ofType('function_definition') ?? [])];
    const [test, another] = tests.filter((node) => (batsName(text, node.start) ?? node.child('name')?.text) === name);
    if (test !== undefined && another === undefined) return foundAt(path, 'bash', test);
  }
  return notFound('no function of this name is written in a test file, or several are');
}
