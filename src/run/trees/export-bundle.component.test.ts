import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifactPath, type Bundle } from '../../evidence/bundle/bundle.ts';
import { beginSample, sampleRun, sampleSite, type SampleSite } from '../../evidence/bundle/sample-bundle.fixture.ts';
import { storeDir } from '../../evidence/bundle/store.ts';
import { sha256 } from '../../kernel/digest.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { exportBundle } from './export-bundle.ts';

let site: SampleSite;
let bundle: Bundle;
let file: string;
let stored: string;

/** A run whose base lies in the store. */
beforeEach(async () => {
  site = sampleSite();
  bundle = await sampleRun(site);
  file = join(site.root, 'run.tar');
  stored = join(storeDir(site.runsDir), sha256('base'));
  mkdirSync(storeDir(site.runsDir), { recursive: true });
  renameSync(artifactPath(bundle, 'inputs/base.tar'), stored);
  writeFileSync(join(storeDir(site.runsDir), sha256('of another run')), 'of another run');
});
afterEach(() => site.remove());

const GOES_ON = new AbortController().signal;
const exported = (): ReturnType<typeof exportBundle> => exportBundle(bundle.dir, file, GOES_ON);
/** The file, and whatever else was left where it is written. */
const filesBeside = (): string[] => readdirSync(site.root).filter((name) => name.startsWith('run.tar'));

describe('a run as one file', () => {
  it('has every file of the bundle and what it refers to in the store, and nothing of other runs', async () => {
    await exported();
    const elsewhere = join(site.root, 'elsewhere');
    unpackTree(file, elsewhere);
    expect(readdirSync(elsewhere).sort()).toEqual([bundle.runId, 'store']);
    expect(readdirSync(join(elsewhere, 'store'))).toEqual([sha256('base')]);
    const files = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
    expect(files(join(elsewhere, bundle.runId))).toEqual(files(bundle.dir));
    expect(readFileSync(join(elsewhere, bundle.runId, 'report.json'))).toEqual(
      readFileSync(join(bundle.dir, 'report.json')),
    );
  });

  it('is refused where an archive is missing or was changed, and leaves no file', async () => {
    writeFileSync(stored, 'bAse');
    await expect(exported()).rejects.toThrow('it was changed');
    rmSync(stored);
    await expect(exported()).rejects.toThrow('inputs/base.tar');
    expect(filesBeside()).toEqual([]);
  });

  it('is refused while the run goes on', async () => {
    const running = beginSample(site.runsDir);
    await expect(exportBundle(running.dir, file, GOES_ON)).rejects.toThrow('is still running');
  });

  it('leaves nothing behind where the file cannot be written', async () => {
    await expect(exportBundle(bundle.dir, join(site.root, 'missing', 'run.tar'), GOES_ON)).rejects.toThrow(
      'cannot write',
    );
    mkdirSync(file);
    await expect(exported()).rejects.toThrow('it is not a regular file');
    expect(filesBeside()).toEqual(['run.tar']);
  });

  it('leaves the file that was there, and nothing else, when it is interrupted', async () => {
    writeFileSync(file, 'earlier');
    writeFileSync(artifactPath(bundle, 'test.log'), Buffer.alloc(20 * 1024 * 1024));
    const stop = new AbortController();
    const exporting = exportBundle(bundle.dir, file, stop.signal);
    expect(filesBeside()).toHaveLength(2);
    stop.abort();
    await expect(exporting).rejects.toThrow('interrupted; ');
    expect(filesBeside()).toEqual(['run.tar']);
    expect(readFileSync(file, 'utf8')).toBe('earlier');
  });

  it('is complete when two are written to one place at the same time', async () => {
    const [first, second] = await Promise.all([exported(), exported()]);
    expect(first).toEqual(second);
    expect(sha256(readFileSync(file))).toBe(first.sha256);
    expect(filesBeside()).toEqual(['run.tar']);
  });
});
