import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { traceCommand } from '../deciding/command/trace-command.ts';
import type { BaseFacts, BaseTree, Ecosystem } from '../deciding/facts.ts';
import { nameOf, parentOf } from '../deciding/path-parts.ts';
import { isManifest } from '../deciding/table/table.ts';
import { inTestDir } from '../deciding/test-names.ts';
import { isFailing } from './compare.ts';

/** Runners whose tests are all in one language. For others, the tables of every ecosystem apply. */
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

/** Converts a base record to the facts that decisions about files are made from. */
export function baseFacts(record: BaseRecord, tree: BaseTree): BaseFacts {
  const ecosystems = record.runner.split(' + ').map((runner) => ECOSYSTEMS[runner] ?? null);
  const { starts, before, targets } = traceCommand(record.test_command, tree);
  const failing = record.tests.filter(isFailing).flatMap(({ file }) => file ?? []);
  return {
    found_by: record.found_by,
    runner: record.runner,
    // An unknown runner may belong to any ecosystem.
    ecosystems: ecosystems.includes(null) ? [] : [...new Set(ecosystems.filter((one) => one !== null))],
    collected: record.collected.filter((path) => !isOnlyNamedLikeTest(path, record)),
    failing: [...new Set(failing)],
    unloaded: record.tests.filter(({ outcome }) => outcome === 'error').flatMap(({ file }) => file ?? []),
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

/** Python's runners load modules by name. A module named like a test that contains no test may belong to the product. */
function isOnlyNamedLikeTest(path: string, { tests }: BaseRecord): boolean {
  return path.endsWith('.py') && !inTestDir(path) && tests.every(({ file }) => file !== null && file !== path);
}

/** A doctest is named after its module, `slug.py::slug.words`; a test function has no dot in its name. */
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
 * Files whose mere presence may decide something. A runner that lists a directory stats everything in it, which proves nothing; there,
 * only files that a source names count.
 */
function askedFor({ read, asked, listed }: BaseRecord, tree: BaseTree): string[] {
  // A manifest names documents that go into a package, not files that tests ask for.
  const sources = read.filter((path) => !isManifest(path) && !/^setup\.(?:py|cfg)$/.test(nameOf(path)));
  const words = new Set(sources.flatMap((path) => (tree.read(path) ?? '').split(/["'`/\\\s]+/)));
  // The root itself is not among the paths below it.
  const dirs = new Set(['', ...listed]);
  const isNamed = (name: string): boolean => /\s/.test(name) || words.has(name);
  return asked.filter((path) => !dirs.has(parentOf(path)) || isNamed(nameOf(path)));
}
