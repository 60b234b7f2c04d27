import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { traceCommand } from '../deciding/command/trace-command.ts';
import type { BaseFacts, BaseTree, Ecosystem } from '../deciding/facts.ts';
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
  const { starts, before } = traceCommand(record.test_command, tree);
  const failing = record.tests.filter(isFailing).flatMap(({ file }) => file ?? []);
  return {
    found_by: record.found_by,
    runner: record.runner,
    // One that is not known may be of any.
    ecosystems: ecosystems.includes(null) ? [] : [...new Set(ecosystems.filter((one) => one !== null))],
    collected: record.collected,
    failing: [...new Set(failing)],
    read: [...new Set([...record.read, ...record.asked])],
    looked_for: record.missing,
    links_passed: record.links,
    folders_listed: record.listed,
    written: record.written,
    outside_modules: record.outside_modules,
    search_path: null,
    starts_runner: starts,
    before_runner: before,
  };
}
