import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../kernel/clock.ts';
import { loadProject } from '../config/load.ts';
import { diedFact, startedFact } from '../journal/entries.fixture.ts';
import { foldJournal, type ProjectHistory } from '../journal/fold.ts';
import { type Journal, openJournal } from '../journal/store.ts';
import { checkpointFile, journalFile, stateDir } from '../protocol/paths.ts';
import { historySince, readCheckpoint } from './read.ts';
import { CheckpointWriter } from './write.ts';

const BUILD = 'app-0123456789ab.js v20.0.0';
const TOML = 'session_prefix = "t-"\n[agents.builder]\nkind = "persistent"\nbackend = "demo"\nprompt = "Wait."\n';

class Scene {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-checkpoint-')));
  readonly clock: Clock & { passed: number } = {
    passed: 0,
    now: () => new Date(1_700_000_000_000),
    mono: () => this.clock.passed,
  };
  readonly writer = new CheckpointWriter(BUILD, this.clock);
  readonly journal: Journal;

  constructor(toml = TOML) {
    onTestFinished(() => rmSync(this.dir, { recursive: true, force: true }));
    writeFileSync(join(this.dir, 'agents.toml'), toml);
    this.journal = openJournal(stateDir(this.project), this.clock);
  }

  get project() {
    return loadProject(this.dir);
  }

  get path(): string {
    return checkpointFile(this.project);
  }

  keep(): void {
    const history = foldJournal(this.journal.read());
    this.writer.keep({ project: this.project, history, position: this.journal.position() });
  }

  /** What a reader takes from the checkpoint. Null: it reads everything. */
  async known(build = BUILD, dir = this.dir): Promise<ProjectHistory | null> {
    const found = readCheckpoint(dir, build);
    return found === null ? null : historySince(found);
  }
}

async function written(toml = TOML): Promise<Scene> {
  const scene = new Scene(toml);
  await scene.journal.append({ type: 'agent.wanted', agent: 'builder', wanted: 'up', by: 'up' }, startedFact);
  scene.keep();
  return scene;
}

test('a checkpoint gives the project and the history as they are', async () => {
  const scene = await written();
  expect(readCheckpoint(scene.dir, BUILD)?.project).toEqual(scene.project);
  expect(await scene.known()).toEqual(foldJournal(scene.journal.read()));
});

test('it is found in another log_dir', async () => {
  const scene = await written(`log_dir = "logs/here"\n${TOML}`);
  expect(await scene.known()).not.toBeNull();
});

test('facts after it are read and count, a half-written one does not', async () => {
  const scene = await written();
  await scene.journal.append(diedFact);
  appendFileSync(journalFile(scene.project), '{"type":"agent.');
  const known = await scene.known();
  expect(known).toEqual(foldJournal(scene.journal.read()));
  expect(known?.agents.get('builder')?.current?.end).toMatchObject({ code: 1 });
});

test('damage to facts after it is an error that names the line', async () => {
  const scene = await written();
  await scene.journal.append(diedFact);
  const path = journalFile(scene.project);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"code":1', '"code":0'));
  await expect(scene.known()).rejects.toThrow(/journal\.jsonl line 3: .*does not match its hash/);
});

test.each<readonly [string, (scene: Scene) => void]>([
  ['a byte of it changed', ({ path }) => writeFileSync(path, flipped(readFileSync(path), 0.5))],
  ['its digest changed', ({ path }) => writeFileSync(path, flipped(readFileSync(path), 0))],
  ['it was cut', ({ path }) => writeFileSync(path, readFileSync(path).subarray(0, 500))],
  ['it is empty', ({ path }) => writeFileSync(path, '')],
  ['it is a directory', ({ path }) => (rmSync(path), mkdirSync(path))],
  ['agents.toml changed', ({ dir }) => appendFileSync(join(dir, 'agents.toml'), '# note\n')],
  [
    'a checked fact changed',
    ({ project }) =>
      writeFileSync(journalFile(project), readFileSync(journalFile(project), 'utf8').replace('"demo"', '"pi"')),
  ],
  ['the journal was cut', ({ project }) => writeFileSync(journalFile(project), '')],
  ['the journal is gone', ({ project }) => rmSync(journalFile(project))],
])('nothing is taken from it when %s', async (_, change) => {
  const scene = await written();
  change(scene);
  expect(await scene.known()).toBeNull();
});

test('nothing is taken from that of another build, nor of a project that was elsewhere', async () => {
  const scene = await written();
  expect(await scene.known(`${BUILD}x`)).toBeNull();
  const moved = `${scene.dir}-moved`;
  renameSync(scene.dir, moved);
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  expect(await scene.known(BUILD, moved)).toBeNull();
});

test('it follows the journal, but not more often than every other second', async () => {
  const scene = await written();
  const first = readFileSync(scene.path);
  await scene.journal.append(diedFact);
  scene.keep();
  expect(readFileSync(scene.path).equals(first)).toBe(true);
  scene.clock.passed = 2000;
  scene.keep();
  expect(readFileSync(scene.path).equals(first)).toBe(false);
  expect(readCheckpoint(scene.dir, BUILD)?.position).toEqual(scene.journal.position());
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const place = Math.floor(copy.length * at);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}
