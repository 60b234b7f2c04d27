import type { SeenTest } from '../../types.ts';
import { parseXml, type XmlElement } from './xml.ts';

/** The tests of a JUnit report; null: it is none. `isFile`: whether a path from the workspace names a file. */
export function readJunit(text: string, isFile: (path: string) => boolean): readonly SeenTest[] | null {
  const root = parseXml(text);
  if (root === null || (root.name !== 'testsuites' && root.name !== 'testsuite')) return null;
  return suiteTests(root, null, isFile);
}

/** Two tests of one name are two tests; the second gets a number. */
export function withNumbers(tests: readonly SeenTest[]): readonly SeenTest[] {
  const times = new Map<string, number>();
  return tests.map((test) => {
    const count = (times.get(test.id) ?? 0) + 1;
    times.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id} (${count})` };
  });
}

function suiteTests(suite: XmlElement, above: string | null, isFile: (path: string) => boolean): readonly SeenTest[] {
  const file = suite.attributes.get('file') ?? suite.attributes.get('filepath') ?? above;
  return suite.children.flatMap((child) => {
    if (child.name === 'testsuite') return suiteTests(child, file, isFile);
    return child.name === 'testcase' ? [caseTest(child, file, isFile)] : [];
  });
}

function caseTest(test: XmlElement, suiteFile: string | null, isFile: (path: string) => boolean): SeenTest {
  const group = test.attributes.get('classname') ?? '';
  const name = test.attributes.get('name') ?? '';
  const places = [test.attributes.get('file'), suiteFile, group].map((path) => path?.replace(/^\/workspace\//, ''));
  return {
    id: group === '' ? name : `${group}::${name}`,
    outcome: outcomeOf(test),
    file: places.find((path) => path !== undefined && path !== '' && isFile(path)) ?? null,
  };
}

function outcomeOf({ attributes, children }: XmlElement): SeenTest['outcome'] {
  const has = (name: string): boolean => children.some((child) => child.name === name);
  if (has('failure')) return 'failed';
  if (has('error')) return 'error';
  return has('skipped') || /^(?:skipped|disabled|notrun|ignored)$/i.test(attributes.get('status') ?? '')
    ? 'skipped'
    : 'passed';
}
