import { expect, it } from 'vitest';
import type { FileDecision } from '../../deciding/decision.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import { loadedPackages } from './loaded-packages.ts';

const SOURCES: Record<string, string> = {
  'package.json': '{}',
  'src/a.ts': `import { one } from 'plain';
import type { Two } from 'typed';
import three from '@scope/three/sub.js';
import './own.js';
import '#inner';
import { readFile } from 'node:fs/promises';
export const later = () => import('lazy/part');`,
  'src/b.cjs': "const four = require('four');",
  'test/a.test.ts': "import 'of-tests';",
};

const load = (...paths: string[]): Promise<ReadonlySet<string>> =>
  loadedPackages(
    paths.map((path) => ({ path, kind: path.startsWith('test/') ? 'no_vote' : 'product' }) as FileDecision),
    { read: (path: string) => SOURCES[path] ?? null } as ReadableTree,
  );

it('names packages that changed code of the product loads when it runs', async () => {
  expect([...(await load(...Object.keys(SOURCES)))].toSorted()).toEqual(['@scope/three', 'four', 'lazy', 'plain']);
});

it('reads nothing where no package.json changes', async () => {
  expect([...(await load('src/a.ts'))]).toEqual([]);
});
