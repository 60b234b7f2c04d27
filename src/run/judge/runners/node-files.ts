import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';

const SOURCE = /\.[cm]?js$/;
const TEST_NAME = /(?:^|\/)(?:test|test-[^/]+|[^/]+[.\-_]test)\.[cm]?js$/;
const TEST_DIR = /(?:^|\/)test\//;

/** Every JavaScript file below a folder, sorted, dependencies left out. */
export function listSources(dir: string): readonly string[] {
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') visit(path);
      else if (entry.isFile() && SOURCE.test(entry.name)) found.push(path);
    }
  };
  visit('');
  return found.sort();
}

/**
 * The files that `node --test` with these words would run, named from the workspace; decided here, because node 20 and 22
 * read folders and patterns differently. Without words: by node's naming rules.
 */
export function selectTestFiles(sources: readonly string[], words: readonly string[]): readonly string[] {
  const isTest = (path: string): boolean => TEST_NAME.test(path) || TEST_DIR.test(path);
  if (words.length === 0) return sources.filter(isTest);
  const wanted = words.map((word) => word.replace(/^(?:\.\/|\/workspace\/)/, '').replace(/\/+$/, ''));
  return sources.filter((path) =>
    wanted.some((word) => {
      const isBelow = word === '.' || word === '' || path.startsWith(`${word}/`);
      return path === word || (isBelow && isTest(path)) || picomatch.isMatch(path, word);
    }),
  );
}
