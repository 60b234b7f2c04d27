import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absentArtifacts, fileFactsIn } from './artifacts.ts';
import { beginSample, fillSample, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

test('what lies where an artifact belongs, but is no file, is neither named nor taken for the artifact', () => {
  const bundle = beginSample(site.runsDir);
  fillSample(bundle);
  rmSync(join(bundle.dir, 'test.log'));
  mkdirSync(join(bundle.dir, 'test.log'));
  rmSync(join(bundle.dir, 'backend'), { recursive: true });
  writeFileSync(join(bundle.dir, 'backend'), 'in the way\n');
  const { artifacts, digests, digests_elsewhere: elsewhere } = fileFactsIn(bundle.dir);
  expect(Object.keys(artifacts)).toContain('patch');
  expect(Object.keys(artifacts)).not.toContain('test_log');
  expect(Object.keys(artifacts).filter((name) => !(name in digests) && !(name in (elsewhere ?? {})))).toEqual([]);
  const absent = absentArtifacts(bundle).map(({ name }) => name);
  expect(absent).toEqual(expect.arrayContaining(['test.log', 'backend/stdout.log']));
  expect(absent).not.toContain('patch.diff');
});
