import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

describe('a run as one file', () => {
  it('has every file of the bundle and what it refers to in the store, and nothing of other runs', () => {
    exportBundle(bundle.dir, file);
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

  it('is refused where an archive is missing or was changed, and leaves no file', () => {
    writeFileSync(stored, 'bAse');
    expect(() => exportBundle(bundle.dir, file)).toThrow('it was changed');
    rmSync(stored);
    expect(() => exportBundle(bundle.dir, file)).toThrow('inputs/base.tar');
    expect(existsSync(file)).toBe(false);
  });

  it('is refused while the run goes on', () => {
    const running = beginSample(site.runsDir);
    expect(() => exportBundle(running.dir, file)).toThrow('is still running');
  });

  it('leaves nothing behind where the file cannot be written', () => {
    expect(() => exportBundle(bundle.dir, join(site.root, 'missing', 'run.tar'))).toThrow('cannot write');
  });
});
