import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QWEN } from './support/lasting.ts';
import { FIX, Project } from './support/project.ts';
import type { Ended } from './support/seatrial.ts';
import { someOf } from '../src/kernel/some-of.fixture.ts';

/** A directory of the caller's that no repository has any business in. */
let outside: string;
let project: Project;
beforeEach(() => {
  project = new Project();
  outside = join(project.root, 'outside');
  mkdirSync(join(outside, 'store'), { recursive: true });
  for (const name of ['file', 'a'.repeat(64), 'x.new', 'x.json']) writeFileSync(join(outside, name), 'mine\n');
});
afterEach(() => project.remove());

const contentOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );

/** Puts a link where the repository could have brought one. */
function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Refused in one sentence that names the link, with nothing written where it leads. */
async function expectRefused(path: string, work: () => Promise<Ended>): Promise<void> {
  const before = contentOf(outside);
  const ended = await work();
  expect(ended.code).toBeOneOf([2, 3, 64]);
  expect(ended.stderr).toContain(path);
  expect(ended.stderr.trim().split('\n').at(-1)).toMatch(/^seatrial: .*(symbolic link|already exists)/);
  expect(contentOf(outside)).toEqual(before);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
}

const LINKS: readonly (readonly [string, string, string])[] = [
  ['the file', '.seatrial/task.toml', 'file'],
  ['the file, to nothing yet', '.seatrial/task.toml', 'new-file'],
  ['its directory', '.seatrial', ''],
  ['its folder, to nothing yet', '.seatrial', 'new-folder'],
];

describe.each([[[]], [['--force']]])('init %j writes through no link', (args) => {
  test.each(someOf(LINKS))('%s', async (_name, path, target) => {
    const at = join(project.repo, path);
    link(at, join(outside, target));
    await expectRefused(at, () => project.seatrial(['init', project.repo, ...args]));
    rmSync(at);
    expect(await project.seatrial(['init', project.repo, ...args])).toMatchObject({ code: 0 });
    expect(lstatSync(join(project.repo, '.seatrial/task.toml')).isFile()).toBe(true);
  });
});

test('init still replaces its file by --force, and works in a repository that is reached by a link', async () => {
  const alias = join(project.root, 'alias');
  symlinkSync(project.repo, alias);
  expect(await project.seatrial(['init', alias])).toMatchObject({ code: 0 });
  const file = join(project.repo, '.seatrial/task.toml');
  writeFileSync(file, 'mine\n');
  expect(await project.seatrial(['init', alias])).toMatchObject({ code: 64 });
  expect(readFileSync(file, 'utf8')).toBe('mine\n');
  expect(await project.seatrial(['init', alias, '--force'])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain('test_command');
});

describe('a run is kept nowhere else than in its runs directory', () => {
  const RUNS: readonly (readonly [string, string])[] = [
    ['.seatrial', ''],
    ['.seatrial', 'new-folder'],
    ['.seatrial/runs', ''],
    ['.seatrial/runs', 'new-folder'],
    ['.seatrial/runs/.live', ''],
    ['.seatrial/runs/ledger.jsonl', 'file'],
    ['.seatrial/runs/ledger.jsonl', 'new-file'],
    ['.seatrial/runs/.ledger.lock', 'new-file'],
  ];
  test.each(someOf(RUNS))('%s -> %j', async (path, target) => {
    const at = join(project.cwd, path);
    link(at, join(outside, target));
    const run = ['run', project.task('answer'), '--engine', 'fake'];
    await expectRefused(at, () => project.seatrial(run));
    await expectRefused(at, () => project.seatrial([...run, '--runs', join(project.cwd, '.seatrial/runs')]));
    expect(existsSync(join(outside, 'new-file'))).toBe(false);
  });

  test('nor are inputs that are too large for a bundle', { tags: ['long'] }, async () => {
    const at = join(project.cwd, '.seatrial/runs/store');
    link(at, outside);
    const files = { 'answer.txt': 'no\n', 'large.bin': randomBytes(17 * 1024 * 1024) };
    const before = contentOf(outside);
    const { code, report } = await project.run(project.task('large', { files }));
    expect([code, report.blocker_codes]).toEqual([2, ['link_not_followed']]);
    expect(report.failure_reason).toContain(at);
    expect(contentOf(outside)).toEqual(before);
  });

  test('not by a matrix either', { tags: ['long'] }, async () => {
    const at = join(project.cwd, '.seatrial');
    link(at, outside);
    await expectRefused(at, () => project.seatrial(['matrix', '--only', 'timeout']));
    expect(existsSync(join(outside, 'runs'))).toBe(false);
  });

  test('but a runs directory outside of the project may be what its owner made it', async () => {
    const real = join(project.root, 'disk');
    mkdirSync(real);
    symlinkSync(real, join(project.root, 'runs'));
    const { code } = await project.run(project.task('answer'), ['--runs', join(project.root, 'runs')]);
    expect(code).toBe(0);
    expect(readdirSync(real)).toContain('ledger.jsonl');
  });
});

describe('recovering and pruning touch nothing behind a link', () => {
  /** A run that looks interrupted, as a repository could bring one. */
  async function interrupted(): Promise<string> {
    const { report } = await project.ask(FIX);
    for (const name of ['manifest.json', 'attestation.json']) rmSync(join(report.run_dir, name));
    const file = join(report.run_dir, 'report.json');
    const { freshness, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as typeof report;
    writeFileSync(file, JSON.stringify({ ...rest, freshness: { ...freshness, sealed_at: null } }));
    rmSync(join(project.runs, 'ledger.jsonl'));
    return report.run_dir;
  }

  test.each(
    someOf([
      ['events.normalized.jsonl', 'file'],
      ['backend', ''],
      ['report.md', 'file'],
    ] as const),
  )('in a run directory that came with one: %s', async (name, target) => {
    const dir = await interrupted();
    rmSync(join(dir, name), { recursive: true });
    link(join(dir, name), join(outside, target));
    const before = contentOf(outside);
    const ended = await project.seatrial(['runs', 'recover']);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stdout).toContain(`${join(dir, name)} is a symbolic link`);
    expect(contentOf(outside)).toEqual(before);
  });

  test.each(
    someOf([
      ['.live', '', ['recover']],
      ['ledger.jsonl', 'file', ['recover']],
      ['.recover.lock', 'new-file', ['recover']],
      ['store', '', ['prune', '--keep', '0']],
      ['ledger.jsonl', 'file', ['prune', '--keep', '0']],
      ['.ledger.lock', 'new-file', ['prune', '--keep', '0']],
    ] as const),
  )('in the runs directory itself: %s -> %j by %j', async (name, target, args) => {
    await project.ask(FIX);
    const at = join(project.runs, name);
    rmSync(at, { recursive: true, force: true });
    link(at, join(outside, target));
    await expectRefused(at, () => project.seatrial(['runs', ...args]));
    expect(project.runDirs()).toHaveLength(1);
  });

  test('where the runs directory is a link', { tags: ['long'] }, async () => {
    await project.ask(FIX);
    const moved = join(outside, 'runs');
    renameSync(project.runs, moved);
    symlinkSync(moved, project.runs);
    await expectRefused(project.runs, () => project.seatrial(['runs', 'prune', '--keep', '0']));
    await expectRefused(project.runs, () => project.seatrial(['runs', 'recover']));
    expect((await project.seatrial(['runs'])).stdout).toContain('adder');
  });
});

test.each([
  ['.seatrial', ''],
  ['.seatrial/admissions', ''],
  ['.seatrial/admissions/.lock', 'new-file'],
])('an admission is written through no link: %s', async (path, target) => {
  const at = join(project.cwd, path);
  link(at, join(outside, target));
  await expectRefused(at, () => project.seatrial(QWEN));
  expect(existsSync(join(outside, 'admissions'))).toBe(false);
});

test('recorded test ids are written through no link', async () => {
  const task = project.task('answer');
  renameSync(join(task, 'task.toml'), join(task, 'environment/task.toml'));
  symlinkSync('environment/task.toml', join(task, 'task.toml'));
  const before = contentOf(task);
  const ended = await project.seatrial(['task', 'check', task, '--record']);
  expect(ended.code).toBeOneOf([2, 64]);
  expect(contentOf(task)).toEqual(before);
});
