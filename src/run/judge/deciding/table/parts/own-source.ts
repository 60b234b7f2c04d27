import { inTestDir, isTestName } from '../../test-names.ts';

const SOURCE = /^(?:\$[({]\w+[)}]\/)?[\w./-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|o|obj|s|S|m)$/;

/** Whether a word of a build file names a source or an object of the product. */
export function isOwnSource(word: string): boolean {
  return SOURCE.test(word) && !isTestName(word.replace(/\.(?:o|obj)$/, '.c')) && !inTestDir(word) && isInside(word);
}

export const isInside = (word: string): boolean => !word.startsWith('/') && !word.split('/').includes('..');
