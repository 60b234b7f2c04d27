import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AgentsPlace } from '../support/agents-place.ts';

const CODE = '```';
const plan = (id: string): string => `## Attempt 1\n${CODE}sh\nprintf 'NAME = "%s"\\n' ${id} >${id}.py\n${CODE}\n`;
const PHASES = ['one', 'two'];
const toml = `session_prefix = "l-"
repo = "repo"
[defaults]
backend = "demo"
${PHASES.map((id) => `[[phases]]\nid = "${id}"\nplan = "${id}.md"\nproof = { test = "python3 -m pytest -q", land = "main" }\n`).join('')}[agents.builder]
kind = "loop"
role = "builder"
`;

const place = new AgentsPlace(toml, Object.fromEntries(PHASES.map((id) => [`${id}.md`, plan(id)])));
afterAll(() => place.remove());

const repo = join(place.project, 'repo');
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repo, encoding: 'utf8' }).trim();
const commit = (name: string, content: string): void => {
  writeFileSync(join(repo, name), content);
  git('add', '-A');
  git('commit', '-q', '-m', `Add ${name}`);
};

test(
  'a proven claim lands on the branch once, though the watchdog is killed meanwhile, and the next phase begins there',
  { timeout: 600_000 },
  async () => {
    mkdirSync(repo);
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'A person');
    git('config', 'user.email', 'person@localhost');
    commit('README', 'Nothing to test yet\n');
    // What would stop a phase only after its work is said before it begins.
    const refused = await place.call('up');
    expect(refused.code).toBe(2);
    expect(refused.stderr.match(/^ {2}phase .*$/gm)).toEqual(
      PHASES.map((id) => expect.stringContaining(`phase ${id}: the approval policy does not let a proof land on main`)),
    );
    writeFileSync(join(place.project, 'seatrial.toml'), '[approvals]\n"land main" = "grant"\n');
    const untested = await place.call('up');
    expect(untested.code).toBe(2);
    expect(untested.stderr).toMatch(
      /^ {2}phase one: `python3 -m pytest -q` cannot prove anything on HEAD of .*: no tests on the base$/m,
    );
    expect(existsSync(join(place.project, '.ao-state'))).toBe(false);
    commit('test_start.py', 'def test_start():\n    assert True\n');
    const up = await place.call('up');
    expect(up.code, up.stderr).toBe(0);
    // What others do meanwhile is merged with.
    commit('other.txt', 'of another person\n');
    const soon = { timeout: 300_000, interval: 200 };
    await expect.poll(() => place.facts('landing.started').length, soon).toBe(1);
    process.kill(place.facts('watchdog.started')[0]?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => place.facts('phase.ended').length, soon).toBe(2);

    const [one, two] = place.facts('phase.ended');
    const log = git('log', '--format=%H', 'main').split('\n');
    expect(log).toHaveLength(5);
    expect(log.slice(0, 2)).toEqual([two?.landed, one?.landed]);
    expect(place.facts('phase.began')[1]?.base).toBe(one?.landed);
    expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
      'README',
      'one.py',
      'other.txt',
      'test_start.py',
      'two.py',
    ]);
    expect(git('status', '--porcelain')).toBe('');
    expect((await place.call('phase', 'log')).stdout).toMatch(/ one: landed \w{12} as \w{12}$/m);
  },
);
