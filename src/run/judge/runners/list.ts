import { ava } from './ava/index.ts';
import { bats } from './bats/index.ts';
import { cargo } from './cargo/index.ts';
import type { RunnerDefinition } from './definition.ts';
import { doctest } from './doctest/index.ts';
import { go } from './go/index.ts';
import { jest } from './jest/index.ts';
import { junit } from './junit/index.ts';
import { mocha } from './mocha/index.ts';
import { nodeTest } from './node-test/index.ts';
import { pytest } from './pytest/index.ts';
import { shunit2 } from './shunit2/index.ts';
import { tap } from './tap/index.ts';
import { tape } from './tape/index.ts';
import { unittest } from './unittest/index.ts';
import { vitest } from './vitest/index.ts';

/** Every runner that reports by test id, in the order of docs/runners.md. The first whose `match` takes a command runs it. */
export const RUNNERS: readonly RunnerDefinition[] = [
  pytest,
  unittest,
  doctest,
  nodeTest,
  vitest,
  jest,
  mocha,
  ava,
  tap,
  tape,
  go,
  cargo,
  bats,
  shunit2,
  junit,
];

export function findRunner(name: string): RunnerDefinition | undefined {
  return RUNNERS.find((definition) => definition.name === name);
}
