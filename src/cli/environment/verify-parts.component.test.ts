import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyPaths } from '../../evidence/bundle/keys.ts';
import { sampleRun, type SampleSite, sampleSite } from '../../evidence/bundle/sample-bundle.fixture.ts';
import { verifyAll } from '../../evidence/verify/verify-all.ts';
import { consecutiveParts, verifyAllInParts } from './verify-parts.ts';
import { whoseSeals } from './whose-seals.ts';

let site: SampleSite;
let key: string;

/** Six runs, one of them changed after it was sealed. */
beforeAll(async () => {
  site = sampleSite();
  key = keyPaths({ HOME: join(site.root, 'home') }).publicKey;
  for (let n = 0; n < 6; n += 1) {
    const { dir } = await sampleRun(site);
    if (n === 4) writeFileSync(join(dir, 'test.log'), 'changed\n');
  }
});
afterAll(() => site.remove());

test.each([
  ['by further processes', () => ['verify', '--all', '--listed', '--runs', site.runsDir, '--key', key]],
  ['where a further process fails', () => ['no-such-command']],
  ['where a further process answers with something else', () => ['--version']],
])('all bundles are verified as by one process, %s', async (_how, args) => {
  const options = { ...whoseSeals(key), now: new Date() };
  const alone = verifyAll(site.runsDir, options);
  expect(alone.runs.map(({ verdict }) => verdict).toSorted()).toEqual(['invalid', ...Array(5).fill('verified')]);
  expect(await verifyAllInParts(site.runsDir, options, args(), 2)).toEqual(alone);
});

test('parts hold all names in their order', () => {
  expect(consecutiveParts(['a', 'b', 'c', 'd', 'e'], 2)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  expect(consecutiveParts([], 1)).toEqual([[]]);
});
