import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeScratch } from '../../../confine/scratch.ts';
import { Masker } from '../../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';
import { PLAIN_ENVIRONMENT } from '../change/judge-commits.fixture.ts';
import { judgeRepo, type RepoResult } from './judge-repo.ts';

let repo: string;
let marker: string;

const inRepo = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd: repo,
    encoding: 'utf8',
  }).trim();

function put(name: string, text: string): void {
  const path = join(repo, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function commit(message: string): string {
  inRepo('add', '-A');
  inRepo('commit', '-qm', message);
  return inRepo('rev-parse', 'HEAD');
}

beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), 'judged-repo-'));
  marker = join(repo, 'ran-something');
  inRepo('init', '-q', '-b', 'main');
});

afterEach(() => rmSync(repo, { recursive: true, force: true }));

async function judgeAt(name: string, testCommand = 'sh tests/check.sh', base?: string): Promise<RepoResult> {
  const scratch = makeScratch();
  try {
    return await judgeRepo({
      repo,
      commit: name,
      ...(base === undefined ? {} : { base }),
      testCommand,
      timeoutMs: 60_000,
      nonce: 'n',
      scratch,
      environment: PLAIN_ENVIRONMENT,
      mask: new Masker(new SecretPatterns([])),
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

test('a commit is judged as it was committed, whatever lies in the work tree', async () => {
  put('thing', '1\n');
  put('tests/check.sh', 'if [ "$(cat thing)" = 1 ]; then ok one; else not_ok one; fi\n');
  const good = commit('good');
  put('thing', '2\n');
  const bad = commit('bad');
  put('thing', '1\n');

  for (const name of [good, good.slice(0, 10)]) {
    expect(await judgeAt(name)).toMatchObject({
      verdict: 'pass',
      commit: good,
      seen: [{ id: 'one', outcome: 'passed' }],
    });
  }
  for (const name of ['HEAD', 'main', bad])
    expect(await judgeAt(name)).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], commit: bad });
  inRepo('pack-refs', '--all');
  inRepo('gc', '-q');
  expect((await judgeAt('main')).commit).toBe(bad);
});

test('nothing the repository configures runs, and its attributes hide and change nothing', async () => {
  put('.gitattributes', 'tests export-ignore\n*.txt filter=evil text eol=crlf\nid.txt export-subst ident\n');
  put('id.txt', '$Format:%H$ $Id$\n');
  put('tests/check.sh', 'printf "%s\\n" \'$Format:%H$ $Id$\' | cmp - id.txt && ok same\n');
  commit('all');
  for (const [key, value] of [
    ['filter.evil.smudge', `touch ${marker}`],
    ['core.fsmonitor', `touch ${marker}`],
    ['core.hooksPath', 'hooks'],
  ]) {
    inRepo('config', key ?? '', value ?? '');
  }
  put('hooks/post-checkout', `#!/bin/sh\ntouch ${marker}\n`);
  chmodSync(join(repo, 'hooks/post-checkout'), 0o755);
  const result = await judgeAt('HEAD', 'sh tests/check.sh');
  expect(result, result.output).toMatchObject({ verdict: 'pass', seen: [{ id: 'same', outcome: 'passed' }] });
  expect(existsSync(marker)).toBe(false);
});

test('a linked work tree has its own HEAD', async () => {
  put('check.sh', 'exit 0\n');
  const first = commit('first');
  const linked = join(repo, 'linked');
  inRepo('worktree', 'add', '-q', '--detach', linked);
  put('check.sh', 'exit 1\n');
  inRepo('commit', '-qam', 'second');
  const main = repo;
  repo = linked;
  try {
    expect(await judgeAt('HEAD', 'sh check.sh')).toMatchObject({ verdict: 'pass', commit: first });
  } finally {
    repo = main;
  }
});

test.each(['no-such-branch', 'deadbeef', '--output=x', '../../etc/passwd'])(
  '%s is refused in one sentence',
  async (name) => {
    put('a', 'a\n');
    commit('a');
    await expect(judgeAt(name)).rejects.toThrow(`there is no commit ${name} in ${repo}`);
  },
);

test('a directory that is no repository is refused in one sentence', async () => {
  rmSync(join(repo, '.git'), { recursive: true });
  await expect(judgeAt('HEAD')).rejects.toThrow('is not a git repository');
});

test('a helper that may be product fixes no test by asserting less', async () => {
  put('pyproject.toml', '[project]\nname = "shop"\n');
  put('tests/__init__.py', '');
  put('shop/__init__.py', 'def total():\n    return 1\n');
  put('shop/testing.py', 'def assert_total(total, wanted):\n    assert total == wanted\n');
  put(
    'tests/test_total.py',
    `import unittest
from shop import total
from shop.testing import assert_total


class Totals(unittest.TestCase):
    def test_total(self):
        assert_total(total(), sum([1, 1]))

    def test_kind(self):
        self.assertIsInstance(total(), int)
`,
  );
  const base = commit('Total');
  put('shop/testing.py', 'def assert_total(total, wanted):\n    pass\n');
  const result = await judgeAt(commit('Assert less'), 'python3 -m unittest discover -s tests -t .', base);
  expect(result).toMatchObject({ verdict: 'blocked', faults: [{ code: 'demand_changed' }] });
});
