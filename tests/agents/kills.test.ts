import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AgentsPlace } from '../support/agents-place.ts';

/** 200 with `SEATRIAL_TESTS=all`, which `npm run test:all` sets. */
const KILLS = process.env['SEATRIAL_TESTS'] === 'all' ? 200 : 5;
const PHASES = ['one', 'two', 'three'];
const CODE = '```';

const plan = (id: string): string =>
  `## Attempt 1\n${CODE}sh\necho wrong >${id}.txt\n${CODE}\n## Attempt 2\n${CODE}sh\necho right >${id}.txt\n${CODE}\n## Check\n${CODE}sh\ngrep -q right ${id}.txt\n${CODE}\n`;

const toml = `session_prefix = "k-"
repo = "repo"
[defaults]
backend = "demo"
${PHASES.map((id) => `[[phases]]\nid = "${id}"\nplan = "${id}.md"\n`).join('')}[agents.builder]
kind = "loop"
role = "builder"
[agents.adversary]
kind = "loop"
role = "adversary"
`;

const place = new AgentsPlace(toml, Object.fromEntries(PHASES.map((id) => [`${id}.md`, plan(id)])));
afterAll(() => place.remove());

function makeRepository(): void {
  const repo = join(place.project, 'repo');
  mkdirSync(repo);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repo });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'start.txt'), 'start\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Start');
}

const index = (): string => {
  try {
    return readFileSync(join(place.project, '.ao-state/state/phase-idx'), 'utf8').trim();
  } catch {
    return '0';
  }
};

/** Kills the watchdog, the tmux server or all processes of the project, whatever they are doing. */
function kill(turn: number): void {
  const watchdog = place.facts('watchdog.started').at(-1)?.pid ?? 0;
  const server = Number(place.tmux('display-message', '-p', '#{pid}').trim());
  const victims = turn % 3 === 0 ? [watchdog] : turn % 3 === 1 ? [server] : [watchdog, server];
  for (const pid of victims)
    try {
      if (pid > 1) process.kill(pid, 'SIGKILL');
    } catch {
      // Ended already.
    }
}

test(
  'whatever is killed whenever, the phases end once each, in order, and no work is lost',
  { timeout: 3_600_000 },
  async () => {
    makeRepository();
    expect((await place.call('up')).code).toBe(0);
    for (let turn = 0; turn < KILLS && index() !== '3'; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 3000));
      kill(turn);
      await expect
        .poll(async () => (await place.call('up', '--resume')).code, { timeout: 120_000, interval: 500 })
        .toBe(0);
    }
    await expect.poll(index, { timeout: 300_000, interval: 500 }).toBe('3');
    const ended = place.facts('phase.ended');
    expect(ended.map(({ phase, index: at }) => [phase, at])).toEqual(PHASES.map((id, at) => [id, at]));
    const clone = join(place.project, '.ao-state/clones/builder');
    const log = execFileSync('git', ['log', '--format=%H'], { cwd: clone, encoding: 'utf8' }).split('\n');
    for (const { commit } of ended) expect(log).toContain(commit);
    expect((await place.call('status')).stdout).toMatch(/^phase: three \[3\/3\] plan=three\.md \(done\)$/m);
  },
);
