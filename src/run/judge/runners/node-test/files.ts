import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';

const JAVASCRIPT = /\.[cm]?js$/;
const TYPESCRIPT = /\.[cm]?[jt]s$/;
const TEST_NAME = /(?:^|\/)(?:test|test-[^/]+|[^/]+[.\-_]test)\.[cm]?[jt]s$/;
const TEST_DIR = /(?:^|\/)test\//;

/** Every source file below a directory, sorted, dependencies left out. */
export function listSources(dir: string, typescript = false): readonly string[] {
  const source = typescript ? TYPESCRIPT : JAVASCRIPT;
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') visit(path);
      else if (entry.isFile() && source.test(entry.name)) found.push(path);
    }
  };
  visit('');
  return found.sort();
}

/** Those that `words` name: files, directories or patterns. Of a directory only what `isTest` takes for tests. */
export function selectSources(
  sources: readonly string[],
  words: readonly string[],
  isTest: (path: string) => boolean,
): readonly string[] {
  const wanted = words.map((word) => word.replace(/^(?:\.\/|\/workspace\/)/, '').replace(/\/+$/, ''));
  return sources.filter((path) =>
    wanted.some((word) => {
      const isBelow = word === '.' || word === '' || path.startsWith(`${word}/`);
      return path === word || (isBelow && isTest(path)) || picomatch.isMatch(path, word);
    }),
  );
}

/**
 * The files that `node --test` with these words would run; decided here, because node 20 and 22 read directories and patterns
 * differently. Without words: by node's naming rules.
 */
export function selectTestFiles(sources: readonly string[], words: readonly string[]): readonly string[] {
  const isTest = (path: string): boolean => TEST_NAME.test(path) || TEST_DIR.test(path);
  return words.length === 0 ? sources.filter(isTest) : selectSources(sources, words, isTest);
}
