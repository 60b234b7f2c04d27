import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test, type TestContext } from 'vitest';
import { findProgram } from '../../../confine/tools/find-program.ts';
import { alterSuite, type Suite } from './altered-runs.fixture.ts';
import type { TestVariant } from './variants.ts';

const TIMEOUT = { timeout: 60_000 };
const scratch = mkdtempSync(join(tmpdir(), 'altered-shell-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const bats = findProgram('bats', process.env['PATH'] ?? '');

const BATS = `#!/usr/bin/env bats
# größe 😀
setup() { value=3; }

@test "status and output" {
  run echo hello
  [ "$status" -eq 0 ]
  [ "$output" = "hello" ]
}

@test "brackets, a \\"quote\\"" {
  run printf '%s' "a b"
  [[ "$output" == 'a b' ]]
}

@test 'returns early' {
  if true; then
    return 0
  fi
  [ 1 = 2 ]
}

@test "a text of several lines" {
  run cat <<'END'
}
END
  test "$output" = "}"
}

@test one_line { [ "$(echo 7)" -eq 7 ]; }
`;

describe('bats', () => {
  const suite: Suite = { runner: 'bats', command: '', tree: { 'test/a.bats': BATS } };
  const names = ['status and output', 'brackets, a "quote"', 'returns early', 'a text of several lines', 'one_line'];

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', TIMEOUT, async (variant, context) => {
    const ids = names.map((name) => `test/a.bats::${name}`);
    const altered = await alterSuite(suite, ids, variant);
    expect(altered.notAltered).toEqual({});
    const outcome = variant === 'throw' || variant === 'literal' ? 'not ok' : 'ok';
    expect(runBats(context, altered.tree)).toEqual(names.map((name, index) => `${outcome} ${index + 1} ${name}`));
  });

  test('unaltered all pass', TIMEOUT, (context) => {
    expect(runBats(context, suite.tree)).toEqual(names.map((name, index) => `ok ${index + 1} ${name}`));
  });
});

describe('functions', () => {
  const script = `#!/bin/sh
add() { echo $(($1 + $2)); }
testSum() {
  [ "$(add 1 1)" = 2 ] || return 1
}
testWords() { [ "$(echo 'a b')" = 'a b' ] || return 1; }
test_returns() {
  return 0
}
for name in testSum testWords test_returns; do
  if "$name"; then echo "ok $name"; else echo "not ok $name"; fi
done
`;
  const suite: Suite = { runner: 'script', command: '', tree: { 'tests/run': script } };
  const names = ['testSum', 'testWords', 'test_returns'];

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', async (variant: TestVariant) => {
    const altered = await alterSuite(suite, names, variant);
    expect(altered.notAltered).toEqual({});
    const outcome = variant === 'throw' || variant === 'literal' ? 'not ok' : 'ok';
    const dir = lay(altered.tree);
    const { stdout } = spawnSync('sh', ['tests/run'], { cwd: dir, encoding: 'utf8' });
    expect(stdout.trim().split('\n'), altered.tree['tests/run']).toEqual(names.map((name) => `${outcome} ${name}`));
  });
});

function runBats(context: TestContext, tree: Readonly<Record<string, string>>): readonly string[] {
  if (bats === null) context.skip('there is no bats on this machine');
  const { stdout, stderr } = spawnSync('bats', ['--tap', 'test/a.bats'], { cwd: lay(tree), encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => /^(?:not )?ok \d/.test(line));
  expect(lines.length, `${stdout}\n${stderr}\n${tree['test/a.bats']}`).toBeGreaterThan(0);
  return lines;
}

function lay(tree: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(scratch, 'tree-'));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}
