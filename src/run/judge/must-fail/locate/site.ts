import type { Language } from '../../syntax/language.ts';
import { languageOf } from '../../syntax/language.ts';
import type { SyntaxNode, SyntaxTree } from '../../syntax/node.ts';
import { parseTests } from '../parse-tests.ts';

/** The function of a test in its file. Tests generated from one function, by parameters or a macro, share it. */
export interface TestSite {
  readonly path: string;
  readonly language: Language;
  /** Its node type: nodes of several types can have the same range. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** False: the source does not contain the test's name, and this is the only function that it can be. */
  readonly certain: boolean;
}

export type Located = { readonly site: TestSite } | { readonly site: null; readonly why: string };

/** The test files of the deciding tree and what they are made of. */
export interface TestFiles {
  /** Relative to the root, as in test ids. */
  readonly paths: readonly string[];
  /** Null: no such file, or not a text file. */
  readonly read: (path: string) => string | null;
}

/** Parses each file once. */
export class TestSources {
  readonly paths: readonly string[];
  readonly #read: TestFiles['read'];
  readonly #trees = new Map<string, Promise<SyntaxTree | null>>();

  constructor(files: TestFiles) {
    this.paths = files.paths;
    this.#read = files.read;
  }

  /** The files of a directory, relative to it. */
  below(dir: string): TestSources {
    if (dir === '') return this;
    const start = `${dir}/`;
    return new TestSources({
      paths: this.paths.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : [])),
      read: (path) => this.#read(start + path),
    });
  }

  text(path: string): string | null {
    return this.#read(path);
  }

  tree(path: string): Promise<SyntaxTree | null> {
    let tree = this.#trees.get(path);
    if (tree === undefined) this.#trees.set(path, (tree = this.#parse(path)));
    return tree;
  }

  async #parse(path: string): Promise<SyntaxTree | null> {
    const text = this.#read(path);
    const language = text === null ? null : languageOf(path, text);
    return text === null || language === null ? null : parseTests(language, text);
  }
}

export function foundAt(path: string, language: Language, node: SyntaxNode, certain = true): Located {
  return { site: { path, language, type: node.type, start: node.start, end: node.end, certain } };
}

export const notFound = (why: string): Located => ({ site: null, why });
