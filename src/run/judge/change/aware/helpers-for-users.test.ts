import { expect, test } from 'vitest';
import { decideFile } from '../../deciding/decision.ts';
import type { AwareLine } from './aware-line.ts';
import { setHelpersAside } from './helpers-for-users.ts';

const HELPER = 'from unittest import mock\n';

function tree(files: Readonly<Record<string, string>>): {
  paths: readonly string[];
  read: (path: string) => string | null;
} {
  return { paths: Object.keys(files), read: (path) => files[path] ?? null };
}

interface Case {
  readonly path?: string;
  readonly base?: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, string>>;
  readonly read?: readonly string[];
  readonly kinds?: readonly AwareLine['kind'][];
}

async function decisionOn({ path = 'shop/testing.py', base = {}, others = {}, read = [], kinds = ['runner'] }: Case) {
  const lines = kinds.map((kind, at) => ({ kind, path, line: at + 1, text: HELPER.trim() }));
  const [decision] = await setHelpersAside([decideFile(path, 'product_code')], lines, {
    base: tree(base),
    patched: tree({ ...base, ...others, [path]: HELPER }),
    read: new Set(read),
  });
  return decision?.why;
}

test('a module with which users test their code stays out of the deciding tree', async () => {
  expect(await decisionOn({})).toBe('new_helper');
  expect(await decisionOn({ base: { 'shop/testing.py': '' }, read: ['shop/testing.py'] })).toBe('helper_for_users');
  expect(await decisionOn({ path: 'listtest/listtest.go' })).toBe('new_helper');
});

test('a module that the product loads is judged as product', async () => {
  expect(await decisionOn({ others: { 'shop/cart.py': 'from shop.testing import fake\n' } })).toBe('product_code');
  expect(await decisionOn({ others: { 'shop/cart.py': 'from shop import testing\n' } })).toBe('product_code');
  expect(
    await decisionOn({
      path: 'listtest/listtest.go',
      others: { 'list.go': 'package list\n\nimport "example.org/list/listtest"\n' },
    }),
  ).toBe('product_code');
});

test('tests may load it', async () => {
  expect(await decisionOn({ others: { 'tests/test_cart.py': 'from shop.testing import fake\n' } })).toBe('new_helper');
});

test('a module that tests load, and that is not named as one for tests, is judged as product', async () => {
  expect(await decisionOn({ path: 'slug.py', base: { 'slug.py': '' }, read: ['slug.py'] })).toBe('product_code');
});

test('a module that does more than to load a runner is judged as product', async () => {
  expect(await decisionOn({ kinds: ['runner', 'assertion'] })).toBe('product_code');
  expect(await decisionOn({ kinds: ['environment'] })).toBe('product_code');
});
