import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { loadProject } from '../config/load.ts';
import { agentNamed } from '../config/project.ts';
import { FakeHost } from '../host/fake-host.fixture.ts';
import { type Journal, openJournal } from '../journal/store.ts';
import type { Operation } from '../lifecycle/operate.ts';
import { setPhase } from '../lifecycle/set-phase.ts';
import { ensureClone } from '../protocol/clones.ts';
import { ensureBase } from '../protocol/give-base.ts';
import { phaseFiles, stateDir } from '../protocol/paths.ts';
import { copyArchive, keepClone, restoreClone } from './keep.ts';
import { listArchives } from './store.ts';

const TOML = `session_prefix = "a-"
repo = "repo"
[defaults]
backend = "demo"
[[phases]]
id = "one"
plan = "one.md"
proof = { test = "true" }
[agents.builder]
kind = "loop"
role = "builder"
`;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

function repository(dir: string): string {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q', '-b', 'main');
  writeFileSync(join(dir, 'start.txt'), 'start\n');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'Start');
  return dir;
}

async function place() {
  const root = mkdtempSync(join(tmpdir(), 'seatrial-archive-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'project');
  mkdirSync(dir);
  writeFileSync(join(dir, 'agents.toml'), TOML);
  repository(join(dir, 'repo'));
  const project = loadProject(dir);
  const builder = agentNamed(project, 'builder');
  if (builder === null) throw new Error('no builder');
  const host = new FakeHost();
  const journal = openJournal(stateDir(project), systemClock);
  const operation: Operation = {
    project,
    host,
    journal,
    clock: systemClock,
    env: {},
    fenceName: 'watchdog-test',
    lockPath: join(root, 'lock'),
  };
  await ensureClone(project, builder);
  return { root, project, builder, operation, journal, host, clone: join(project.logDir, 'clones/builder') };
}

/** Everything that a person would miss: in the work tree, in the index, in stashes, on branches, in a submodule, ignored. */
function leaveWork(root: string, clone: string) {
  git(clone, 'submodule', '--quiet', 'add', repository(join(root, 'library')), 'library');
  git(clone, 'commit', '-q', '-m', 'Add a submodule');
  git(clone, 'checkout', '-q', '-b', 'private');
  writeFileSync(join(clone, 'pushed-nowhere.txt'), 'x');
  git(clone, 'add', '-A');
  git(clone, 'commit', '-q', '-m', 'Pushed nowhere');
  writeFileSync(join(clone, 'start.txt'), 'stashed\n');
  git(clone, 'stash', '-q');
  writeFileSync(join(clone, 'start.txt'), 'staged\n');
  git(clone, 'add', 'start.txt');
  writeFileSync(join(clone, 'start.txt'), 'changed after that\n');
  writeFileSync(join(clone, '.gitignore'), 'secret.env\n');
  writeFileSync(join(clone, 'secret.env'), 'ignored');
  writeFileSync(join(clone, 'library', 'start.txt'), 'changed in the submodule\n');
  mkdirSync(join(clone, 'empty'));
  symlinkSync('nowhere', join(clone, 'link'));
}

function workIn(clone: string) {
  return {
    status: git(clone, 'status', '--porcelain', '--ignored'),
    refs: git(clone, 'for-each-ref'),
    stash: git(clone, 'stash', 'show', '-p'),
    staged: git(clone, 'diff', '--cached'),
    changed: git(clone, 'diff'),
    submodule: git(join(clone, 'library'), 'diff'),
    ignored: readFileSync(join(clone, 'secret.env'), 'utf8'),
    empty: existsSync(join(clone, 'empty')),
  };
}

test('a clone is set aside with everything in it, and restore brings all of it back', async () => {
  const { root, project, builder, operation, clone, journal } = await place();
  leaveWork(root, clone);
  const before = workIn(clone);
  const { id } = await keepClone(operation, builder, 'test');
  expect(git(clone, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(clone, 'secret.env'))).toBe(false);
  expect(listArchives(project)).toMatchObject([{ id, kind: 'clone', agent: 'builder', why: 'test' }]);

  await copyArchive(operation, id, join(root, 'copy'));
  expect(workIn(join(root, 'copy'))).toEqual(before);

  writeFileSync(join(clone, 'later.txt'), 'work in the new clone');
  const aside = await restoreClone(operation, id.slice(0, 12));
  expect(workIn(clone)).toEqual(before);
  // What stood there in the meantime is not lost either.
  expect(readFileSync(join(aside?.content ?? '', 'later.txt'), 'utf8')).toBe('work in the new clone');
  expect(listArchives(project).map((one) => one.id)).toEqual([aside?.id]);
  expect(journal.read().map(({ type }) => type)).toEqual(['archive.kept', 'archive.kept', 'archive.restored']);
});

/** With a commit that only this clone has. */
async function beginPhase(clone: string, journal: Journal): Promise<string> {
  writeFileSync(join(clone, 'phase-zero.txt'), 'x');
  git(clone, 'add', '-A');
  git(clone, 'commit', '-q', '-m', 'Work of an earlier phase');
  const base = git(clone, 'rev-parse', 'HEAD');
  await journal.append({ type: 'phase.began', phase: 'one', index: 0, base });
  return base;
}

test('a new clone has the commit that the open phase began with, though it was pushed nowhere', async () => {
  const { operation, builder, clone, journal } = await place();
  const base = await beginPhase(clone, journal);
  await keepClone(operation, builder, 'test');
  expect(git(clone, 'rev-parse', 'refs/seatrial/base')).toBe(base);
  expect(git(clone, 'show', `${base}:phase-zero.txt`)).toBe('x');
});

test('a kill between setting a clone aside and giving the new one its base costs nothing', async () => {
  const { operation, project, builder, clone, journal } = await place();
  const base = await beginPhase(clone, journal);
  await keepClone(operation, builder, 'test');
  // As if the new clone had been made by the next start.
  rmSync(clone, { recursive: true });
  await ensureClone(project, builder);
  await ensureBase(project, builder, base);
  expect(git(clone, 'show', `${base}:phase-zero.txt`)).toBe('x');
  expect(git(clone, 'rev-parse', 'refs/seatrial/base')).toBe(base);
});

test('the clone of an agent that runs, or is to run, is left alone', async () => {
  const { operation, project, builder, clone, journal, host } = await place();
  await journal.append({ type: 'agent.wanted', agent: 'builder', wanted: 'up', by: 'up' });
  await expect(keepClone(operation, builder, 'test')).rejects.toThrow('seatrial down builder');
  await journal.append({ type: 'agent.wanted', agent: 'builder', wanted: 'down', by: 'down' });
  await host.create({ name: 'a-builder', project: project.id, spawn: 's', cwd: '/', argv: ['wait'], fence: null });
  await expect(keepClone(operation, builder, 'test')).rejects.toThrow('is not stopped');
  expect(existsSync(join(clone, 'start.txt'))).toBe(true);
  expect(listArchives(project)).toEqual([]);
});

test('what is no directory is not moved, and an unknown archive is named', async () => {
  const { operation, builder, clone, project } = await place();
  rmSync(clone, { recursive: true });
  symlinkSync('/', clone);
  await expect(keepClone(operation, builder, 'test')).rejects.toThrow('is not a directory');
  expect(listArchives(project)).toEqual([]);
  await expect(restoreClone(operation, '2020')).rejects.toThrow('there is no archive "2020"');
});

test('protocol files of a phase that is begun anew can be copied out of the archive', async () => {
  const { root, operation, project } = await place();
  const { status } = phaseFiles(project, 'one');
  mkdirSync(join(status, '..'), { recursive: true });
  writeFileSync(status, 'CLAIM\n');
  await setPhase(operation, 'one');
  const [kept] = listArchives(project);
  expect(kept).toMatchObject({ kind: 'protocol', agent: null, why: 'phase set one' });
  await expect(restoreClone(operation, kept?.id ?? '')).rejects.toThrow('--to');
  await copyArchive(operation, kept?.id ?? '', join(root, 'old'));
  expect(readFileSync(join(root, 'old/builder/STATUS-one.md'), 'utf8')).toBe('CLAIM\n');
});
