import { locateCargo } from './cargo.ts';
import { locateGo } from './go.ts';
import { locateJavaScript } from './javascript.ts';
import { locatePytest, locateUnittest } from './python.ts';
import { locateShell } from './shell.ts';
import { type Located, notFound, type TestSources } from './site.ts';

type Locate = (id: string, sources: TestSources) => Promise<Located>;

/** By the runner's name: finds the function of a test id in its file. */
const LOCATORS: Readonly<Record<string, Locate>> = {
  pytest: locatePytest,
  unittest: locateUnittest,
  'node-test': locateJavaScript,
  vitest: locateJavaScript,
  jest: locateJavaScript,
  mocha: locateJavaScript,
  ava: locateJavaScript,
  tap: locateJavaScript,
  tape: locateJavaScript,
  go: locateGo,
  cargo: locateCargo,
  bats: locateShell,
  script: locateShell,
};

export async function locateTest(runner: string, id: string, sources: TestSources): Promise<Located> {
  const locate = Object.hasOwn(LOCATORS, runner) ? LOCATORS[runner] : undefined;
  return locate === undefined ? notFound(`tests of ${runner} are not altered`) : locate(id, sources);
}

/** The directory that a runner ran in, to which its ids are relative. `file` is the same file, relative to the root. */
export function dirOfTest(runner: string, id: string, file: string | null): string {
  const named = (id.split('::')[0] ?? '').replace(/^\|[^|]*\| /, '');
  const module = fileOfId(runner, id).replaceAll('.', '/');
  const paths = runner === 'unittest' ? [`${module}.py`, `${module}/__init__.py`] : [named];
  const path = paths.find((one) => file?.endsWith(`/${one}`) === true);
  return file === null || path === undefined ? '' : file.slice(0, -path.length - 1);
}

/** The file of a test, or what identifies it in the id: a module, a package. */
export function fileOfId(runner: string, id: string): string {
  if (runner === 'unittest') return id.split('.').slice(0, -2).join('.');
  if (runner === 'cargo') return id.split('::').slice(0, -1).join('::');
  return id.split('::')[0] ?? id;
}
