import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { PLAYS_ALL } from '../../src/kernel/some-of.fixture.ts';
import { type Ended, readReport } from '../support/seatrial.ts';
import { FIX, Project, TEST } from '../support/project.ts';

const RUNS = PLAYS_ALL ? 8 : 4;

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

const asking = (command: string, more: readonly string[] = []): string[] => [
  'run',
  '--repo',
  project.repo,
  '--ask',
  'Make total right.',
  '--test',
  TEST,
  '--engine',
  'command',
  '--command',
  command,
  ...more,
];

const MANY = ['--repeat', String(RUNS), '--jobs', '4', '--json'];

function reportsIn({ code, stdout, stderr }: Ended): Report[] {
  expect(code, `${stdout}${stderr}`).toBe(0);
  const reports: Report[] = JSON.parse(stdout);
  expect(reports.flatMap(({ blockers }) => blockers)).toEqual([]);
  expect(reports.every(({ status }) => status === 'pass')).toBe(true);
  return reports;
}

const ids = (reports: readonly Report[]): Set<string> => new Set(reports.map(({ run_id }) => run_id));

describe(`${RUNS} runs, four at a time`, () => {
  test('all pass from the same commit, each with its own copy, its own patch and its own control', async () => {
    const reports = reportsIn(await project.seatrial(asking(FIX, MANY)));
    expect(ids(reports).size).toBe(RUNS);
    expect(new Set(reports.map(({ patch }) => patch.sha256)).size).toBe(1);
    expect(reports.every(({ baseline }) => baseline?.kind === 'before')).toBe(true);
    const all = await project.seatrial(['verify', '--all']);
    expect(all, all.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining(`${RUNS} runs verified`) });
    expect((await project.seatrial(['verify', reports[RUNS - 1]?.run_id ?? '', '--rerun'])).code).toBe(0);
  });

  test('one after the other they pass as well', async () => {
    const ended = await project.seatrial(asking(FIX, ['--repeat', '2']));
    expect(ended, ended.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('2 runs: 2 pass') });
  });

  test('start with --dirty from the work tree as it stands', async () => {
    writeFileSync(join(project.repo, 'note.txt'), 'not committed\n');
    const ended = await project.seatrial(asking(`cat note.txt && ${FIX}`, ['--dirty', ...MANY]));
    expect(ids(reportsIn(ended)).size).toBe(RUNS);
  });

  test('of a task directory pass too', async () => {
    project.task('answer');
    expect(ids(reportsIn(await project.seatrial(['run', './answer', ...MANY]))).size).toBe(RUNS);
  });

  test('are set up once, and all of them find what the setup made', async () => {
    const setup = ['--setup', 'echo made > made.txt'];
    const reports = reportsIn(await project.seatrial(asking(`cat made.txt && ${FIX}`, [...setup, ...MANY])));
    expect(reports.filter(({ provision }) => provision?.cached === false)).toHaveLength(1);
  });
});

test('two commands at once on one repository do not get in each other’s way', async () => {
  const both = await Promise.all(
    [[], ['--dirty']].map((how) => project.seatrial(asking(FIX, [...how, '--repeat', '2', '--jobs', '2']))),
  );
  for (const { code, stdout, stderr } of both) expect([code, stdout], stderr).toMatchObject([0, expect.any(String)]);
  const reports = project.runDirs().map((name) => readReport(join(project.runs, name)));
  expect(reports.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass', 'pass']);
  expect(project.git('status', '--porcelain')).toBe('');
});
