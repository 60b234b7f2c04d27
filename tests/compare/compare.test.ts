import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComparisonResult } from '../../src/evidence/comparison/schema.ts';
import { FeesProject, raise } from '../support/fees.ts';
import { Place } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

/** Does the task `right`, and spoils the task `wrong`. */
const AGENT = 'grep -q right && echo yes > answer.txt || echo maybe > answer.txt';
const COMPARE = ['compare', '--engines', 'fake,command', '--command', AGENT, '--tasks', './right,./wrong'];

beforeAll(() => {
  place.task('right', { instruction: 'This is right: write yes into answer.txt.\n' });
  place.task('wrong', { instruction: 'Write yes into answer.txt.\n' });
});

const comparisons = (): string[] => readdirSync(place.runs).filter((name) => name.includes('-compare-'));

async function verified(dir: string): Promise<{ readonly code: number | null; readonly stdout: string }> {
  return place.seatrial(['verify', dir]);
}

describe('a comparison', () => {
  let dir: string;
  let result: ComparisonResult;
  beforeAll(async () => {
    const { code, stdout, stderr } = await place.seatrial([...COMPARE, '--repeat', '2', '--jobs', '2', '--json']);
    expect(code, stderr).toBe(0);
    ({ comparison_dir: dir, ...result } = JSON.parse(stdout) as ComparisonResult & { comparison_dir: string });
  });

  it('has rates with intervals, and reasons', () => {
    const [fake, command] = result.engines;
    expect(fake).toMatchObject({ engine: 'fake', passed: 4, failed: 0, not_judged: 0, pass_rate: 1 });
    expect(command).toMatchObject({ engine: 'command', passed: 2, failed: 2, not_judged: 0, pass_rate: 0.5 });
    expect(command?.interval.low).toBeCloseTo(0.15, 2);
    expect(command?.pass_all).toEqual({ k: 2, tasks: 2, value: 0.5 });
    expect(command?.reasons).toEqual([
      { outcome: 'fail', class: 'work', code: 'tests_failed', text: 'tests failed', count: 2 },
    ]);
    expect(command?.cost_usd).toEqual({ known: 0, median: null, total: null });
  });

  it('leads from every cell of its page to the reports', () => {
    const page = readFileSync(join(dir, 'comparison.html'), 'utf8');
    for (const anchor of page.matchAll(/<td[^>]*><a href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor[1]}"`);
    const links = [...page.matchAll(/href="(runs\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(8);
    for (const link of links) expect(readFileSync(join(dir, link), 'utf8')).toContain('<title>');
    expect(page).not.toMatch(/<script|https?:\/\//);
  });

  it('is there as JUnit XML and Markdown', () => {
    const junit = readFileSync(join(dir, 'junit.xml'), 'utf8');
    expect(junit).toContain('tests="8" failures="2" errors="0" skipped="0"');
    expect(junit).toContain('<testcase classname="wrong" name="run 1"');
    expect(readFileSync(join(dir, 'comparison.md'), 'utf8')).toContain('| wrong | 2 of 2 | 0 of 2 |');
  });

  it('verifies as a whole, and so does every run', async () => {
    const { code, stdout } = await verified(dir);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('each planned run counts once');
    expect((await place.seatrial(['verify', '--all', '--runs', join(dir, 'runs')])).code).toBe(0);
  });

  it.each<[what: string, spoil: (copy: string) => void, faults: readonly RegExp[]]>([
    [
      'fewer planned runs, a better rate and a word on the page',
      (copy) => {
        edit(join(copy, 'plan.json'), '"repeat": 2', '"repeat": 1');
        edit(join(copy, 'comparison.json'), '"pass_rate": 0.5', '"pass_rate": 0.9');
        edit(join(copy, 'comparison.html'), '0/2', '2/2');
      },
      [
        /plan\.json is not the signed one/,
        /comparison\.json is not the signed one/,
        /comparison\.html is not the signed one/,
      ],
    ],
    [
      'a run left out',
      (copy) => rmSync(join(copy, 'runs', idOf('fail')), { recursive: true }),
      [/FAIL runs/, /comparison\.json does not follow from the bundles/],
    ],
    ['two runs exchanged', (copy) => exchange(join(copy, 'runs'), idOf('fail'), idOf('pass')), [/FAIL runs/]],
  ])('%s: verify finds it', async (_what, spoil, faults) => {
    const copy = join(place.root, 'copy', dir.split('/').at(-1) ?? '');
    rmSync(copy, { recursive: true, force: true });
    cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
    spoil(copy);
    const { code, stdout } = await verified(copy);
    expect([code, stdout]).toEqual([1, expect.stringContaining('INVALID')]);
    for (const fault of faults) expect(stdout).toMatch(fault);
  });

  const idOf = (outcome: string): string =>
    result.runs.find((run) => run.engine === 'command' && run.outcome === outcome)?.run_id ?? '';
});

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
}

function exchange(runs: string, one: string, other: string): void {
  renameSync(join(runs, one), join(runs, 'between'));
  renameSync(join(runs, other), join(runs, one));
  renameSync(join(runs, 'between'), join(runs, other));
}

it('goes on after Ctrl-C and after SIGKILL, without repeating or losing a run', async () => {
  const args = [...COMPARE, '--repeat', '2', '--jobs', '2'];
  const before = comparisons();
  const stopped = place.start(args);
  await stopped.shows('[2/8]');
  stopped.child.kill('SIGINT');
  const { code, stdout } = await stopped.ended;
  expect(code).toBe(2);
  const id = comparisons().find((name) => !before.includes(name)) ?? '';
  expect(stdout).toContain(`seatrial compare --resume ${id}`);
  const ended = async (): Promise<ComparisonResult['runs']> =>
    (JSON.parse((await place.seatrial(['compare', '--show', id, '--json'])).stdout) as ComparisonResult).runs;
  const first = await ended();
  expect(first.length).toBeGreaterThanOrEqual(2);

  const killed = place.start(['compare', '--resume', id, '--jobs', '2']);
  await killed.shows(`[${first.length + 1}/8]`);
  killed.child.kill('SIGKILL');
  await killed.ended;
  // One of the two was under way.
  const recovered = await place.seatrial(['runs', 'recover']);
  expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringMatching(/^sealed /m)]);
  const second = await ended();
  expect(second).toEqual(
    expect.arrayContaining(first.map(({ slot, run_id }) => expect.objectContaining({ slot, run_id }))),
  );

  const done = await place.seatrial(['compare', '--resume', id]);
  expect(done.code, done.stderr).toBe(0);
  const last = await ended();
  expect(last.map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(last).toEqual(
    expect.arrayContaining(second.map(({ slot, run_id }) => expect.objectContaining({ slot, run_id }))),
  );
  expect((await verified(id)).stdout).toContain(`verified: comparison ${id}`);

  const again = await place.seatrial(['compare', '--resume', id]);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(await ended()).toEqual(last);
}, 600_000);

it("compares on a repository of one's own, from a commit that the plan fixes", async () => {
  const project = new FeesProject();
  try {
    const repo = ['--repo', project.repo, '--ask', 'Raise the fee.', '--test', 'python3 -m pytest -q'];
    const compare = ['compare', '--engines', 'command', '--command', raise('a', 4), '--repeat', '1', '--json'];
    const { code, stdout, stderr } = await project.seatrial([...compare, ...repo]);
    expect(code, stderr).toBe(0);
    const { comparison_dir: dir, engines } = JSON.parse(stdout) as ComparisonResult & { comparison_dir: string };
    expect(engines).toMatchObject([{ engine: 'command', passed: 1, not_judged: 0 }]);
    expect(readFileSync(join(dir, 'plan.json'), 'utf8')).toContain(project.git('rev-parse', 'HEAD'));
  } finally {
    project.remove();
  }
});

it('does not go on with another task than the one that was declared', async () => {
  const dir = place.task('changing');
  const { stdout } = await place.seatrial([
    'compare',
    '--engines',
    'fake',
    '--tasks',
    './changing',
    '--repeat',
    '1',
    '--json',
  ]);
  const { comparison_id: id } = JSON.parse(stdout) as ComparisonResult;
  writeFileSync(join(dir, 'instruction.md'), 'Do something else.\n');
  const { code, stderr } = await place.seatrial(['compare', '--resume', id]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('changed since the comparison was declared: the task changing'),
  ]);
});

it.each([
  [['compare'], 'no engines given'],
  [['compare', '--engines', 'fake'], 'no tasks given'],
  [['compare', '--engines', 'fake,nobody', '--tasks', 'all'], 'unknown engine "nobody"'],
  [['compare', '--engines', 'fake,fake', '--tasks', 'all'], '--engines names fake twice'],
  [['compare', '--engines', 'fake', '--tasks', './right,nothing'], 'no task "nothing"'],
  [['compare', '--engines', 'fake', '--tasks', 'all', '--model', 'qwen=a/b'], 'qwen is not among --engines'],
  [['compare', '--engines', 'fake', '--tasks', 'all', '--model', 'fake=a/b'], 'fake asks no model'],
  [
    ['compare', '--engines', 'fake', '--tasks', 'all', '--max-tokens', '5'],
    'fake asks no model, so --max-tokens has no effect',
  ],
  [
    ['compare', '--engines', 'fake', '--tasks', 'all', '--command', 'x'],
    'none of the compared engines takes --command',
  ],
  [['compare', '--engines', 'fake', '--tasks', 'all', '--ask', 'x'], '--ask requires --repo'],
  [['compare', '--resume', 'nothing'], 'no comparison "nothing"'],
  [['compare', '--resume', '--engines', 'fake'], "cannot be used with option '--engines <names>'"],
])('%j is refused in one sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await place.seatrial(args);
  expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([64, '', [expect.stringContaining(sentence)]]);
});
