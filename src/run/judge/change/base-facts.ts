import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { traceCommand } from '../deciding/command/trace-command.ts';
import type { BaseFacts, BaseTree, Ecosystem } from '../deciding/facts.ts';
import { nameOf, parentOf } from '../deciding/path-parts.ts';
import { isManifest } from '../deciding/table/table.ts';
import { inTestDir } from '../deciding/test-names.ts';
import { isFailing } from './compare.ts';

/** Runners whose tests are all of one language. Others: the tables of every ecosystem apply. */
const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  pytest: 'python',
  unittest: 'python',
  doctest: 'python',
  'node-test': 'javascript',
  vitest: 'javascript',
  jest: 'javascript',
  mocha: 'javascript',
  ava: 'javascript',
  tap: 'javascript',
  tape: 'javascript',
  go: 'go',
  cargo: 'rust',
  bats: 'shell',
};

/** What a base record says about files, in the form that decisions about files are made from. */
export function baseFacts(record: BaseRecord, tree: BaseTree): BaseFacts {
  const ecosystems = record.runner.split(' + ').map((runner) => ECOSYSTEMS[runner] ?? null);
  const { starts, before, targets } = traceCommand(record.test_command, tree);
  const failing = record.tests.filter(isFailing).flatMap(({ file }) => file ?? []);
  return {
    found_by: record.found_by,
    runner: record.runner,
    // One that is not known may be of any.
    ecosystems: ecosystems.includes(null) ? [] : [...new Set(ecosystems.filter((one) => one !== null))],
    collected: record.collected.filter((path) => !isOnlyNamedLikeTest(path, record)),
    failing: [...new Set(failing)],
    doctested: record.collected.filter((path) => isDoctested(path, record)),
    read: [...new Set([...record.read, ...askedFor(record, tree)])],
    looked_for: record.missing,
    links_passed: record.links,
    dirs_listed: record.listed,
    written: record.written,
    outside_modules: record.outside_modules,
    search_path: null,
    test_command: record.test_command,
    make_targets: targets,
    starts_runner: starts,
    before_runner: before,
  };
}

/** Python's runners load modules by their names. Without a test in it, such a module may be the product's own. */
function isOnlyNamedLikeTest(path: string, { tests }: BaseRecord): boolean {
  return path.endsWith('.py') && !inTestDir(path) && tests.every(({ file }) => file !== null && file !== path);
}

/** A doctest is named by its module, `slug.py::slug.words`; no test function has a dot in its name. */
function isDoctested(path: string, { tests, runner }: BaseRecord): boolean {
  const ids = tests.filter(({ file }) => file === path).map(({ id }) => id);
  if (!path.endsWith('.py') || ids.length === 0) return false;
  const module = path.replace(/(?:(?:^|\/)__init__)?\.py$/, '').replaceAll('/', '.');
  const last = module.slice(module.lastIndexOf('.') + 1);
  // Tools start the module's name at different directories.
  const isExample = (name: string): boolean => name.split('.').includes(last) && /^[\w.]+$/.test(name);
  return runner === 'doctest' || ids.every((id) => id.startsWith(`${path}::`) && isExample(id.slice(path.length + 2)));
}

/**
 * Files whose presence alone may decide something. A runner that lists a directory asks about everything in it, which says nothing: there,
 * only files count that a source names.
 */
function askedFor({ read, asked, listed }: BaseRecord, tree: BaseTree): string[] {
  // A manifest names documents that go into a package, not files that tests ask for.
  const sources = read.filter((path) => !isManifest(path) && !/^setup\.(?:py|cfg)$/.test(nameOf(path)));
  const words = new Set(sources.flatMap((path) => (tree.read(path) ?? '').split(/["'`/\\\s]+/)));
  // The root itself is in no list of paths below it.
  const dirs = new Set(['', ...listed]);
  const isNamed = (name: string): boolean => /\s/.test(name) || words.has(name);
  return asked.filter((path) => !dirs.has(parentOf(path)) || isNamed(nameOf(path)));
}
