import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseJsonc, valueAt } from '../../deciding/manifest-text.ts';
import { extensionOf, joinPaths, parentOf, pathWithin } from '../../deciding/path-parts.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { applyEdits, type Edit } from '../../syntax/edits.ts';
import { javascriptImports } from '../../syntax/imports/javascript.ts';
import { languageOf } from '../../syntax/language.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import { movedDir } from '../keep-apart.ts';
import { STAND_IN } from './expectations.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { stripTypes } from './strip-types.ts';

const OF_RUNNERS = /^(?:vitest|@jest\/globals|mocha|chai|ava)$/;
const ENDINGS = ['', '.ts', '.js', '.mts', '.mjs', '.cjs', '/index.ts', '/index.js'];
const MAX_MODULES = 500;

/**
 * Tests of a JavaScript runner as tests of Node.js itself, and the modules that they use as modules that Node.js loads: without types,
 * with the names of files written out. Null: something of it cannot be said so.
 */
export async function javascriptForm(tests: readonly PlainTest[], files: TestFiles): Promise<ApartForm | null> {
  const testFiles = [...new Set(tests.map((test) => test.file))];
  const modules = new Modules(files, testFiles);
  const names = new Map<string, string>();
  for (const file of testFiles) {
    const name = await modules.add(file);
    if (name === null) return null;
    names.set(file, name);
  }
  return {
    command: 'node --test',
    replace: modules.texts,
    remove: testFiles,
    apart: [...names.values()],
    mayNotLoad: modules.usesOthers,
    nameOf: (id) => {
      const file = /^(?:\|[^|]*\| )?(.+?)::/.exec(id)?.[1] ?? id;
      const title = id.slice(id.indexOf('::'));
      return `${names.get(file) ?? file}${title}`;
    },
  };
}

/** Modules of a tree as Node.js can load them, each beside the file that it is made of. */
class Modules {
  readonly texts = new Map<string, string>();
  /** Packages that are loaded otherwise by a bundler, or names that Node.js does not know in a module. */
  usesOthers = false;
  readonly #files: TestFiles;
  readonly #paths: ReadonlySet<string>;
  readonly #tests: ReadonlySet<string>;
  /** The directory that goes with the tests; empty: none does. */
  readonly #moved: string;
  readonly #names = new Map<string, string>();

  constructor(files: TestFiles, tests: readonly string[]) {
    this.#files = files;
    this.#paths = new Set(files.paths);
    this.#tests = new Set(tests);
    this.#moved = movedDir(tests);
  }

  /** What to load instead of a file. Null: it cannot be made loadable. */
  async add(file: string): Promise<string | null> {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const text = this.#files.read(file);
    const language = text === null ? null : languageOf(file, text);
    const tree = text === null || language === null ? null : await parse(language, text);
    if (tree === null || language === 'tsx' || this.#names.size >= MAX_MODULES) return null;
    const isTest = this.#tests.has(file);
    const isModule = tree.root.children.some(({ type }) => /^(?:import|export)_statement$/.test(type));
    // Node.js loads it as it is, with all that it requires.
    const name = isModule || isTest || language !== 'javascript' ? `${file}${isModule ? '.mjs' : '.cjs'}` : file;
    this.#names.set(file, name);
    if (name === file) return name;
    const plain = language === 'javascript' ? tree : await withoutTypes(tree);
    const rewritten = plain === null ? null : await this.#rewrite(file, plain);
    if (rewritten === null) return null;
    if (!isTest && OF_OTHERS.test(rewritten)) this.usesOthers = true;
    this.texts.set(name, isTest ? STAND_IN + rewritten : rewritten);
    return name;
  }

  async #rewrite(file: string, { text, root }: SyntaxTree): Promise<string | null> {
    const edits: Edit[] = [];
    for (const { kind, specifier, start, end } of javascriptImports(root)) {
      if (kind === 'resource') continue;
      const node = [...root.walk()].find((one) => one.start === start && one.end === end && LOADING.test(one.type));
      if (node === undefined) return null;
      if (this.#tests.has(file) && OF_RUNNERS.test(specifier)) {
        const statement =
          node.type === 'import_statement'
            ? node
            : [...node.ancestors()].find(({ type }) => type.endsWith('_declaration'));
        if (statement === undefined) return null;
        edits.push({ start: statement.start, end: statement.end, text: '' });
      }
      if (!specifier.startsWith('.')) {
        if (!this.#tests.has(file) && !isBuiltin(specifier)) this.usesOthers = true;
        continue;
      }
      const target = this.#find(file, specifier);
      const name = target === null ? null : await this.add(target);
      const source = [...node.ofType('string')].at(-1);
      if (name === null || source === undefined) return null;
      edits.push({ start: source.start, end: source.end, text: JSON.stringify(this.#from(file, name)) });
    }
    return applyEdits(text, edits);
  }

  #find(from: string, specifier: string): string | null {
    const path = joinPaths(parentOf(from), specifier);
    if (path === null) return null;
    const asTypeScript = /\.[cm]?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [];
    const main = joinPaths(path, this.#mainOf(path));
    const named = [path, ...(main === null || main === path ? [] : [main])].flatMap((one) =>
      ENDINGS.map((ending) => (one === '' ? ending.replace(/^\//, '') : one + ending)),
    );
    const found = [...named, ...asTypeScript].find((one) => this.#paths.has(one));
    return found !== undefined && /^[cm]?[jt]s$/.test(extensionOf(found)) ? found : null;
  }

  /** What `require` loads for a directory, where its package says so. */
  #mainOf(dir: string): string {
    const manifest = this.#files.read(dir === '' ? 'package.json' : `${dir}/package.json`);
    const main = valueAt(parseJsonc(manifest ?? ''), ['main']);
    return typeof main === 'string' ? main : '';
  }

  /** Tests lie in a directory of their own, beside the code. */
  #placeOf(path: string): string {
    const original = path.replace(/(\.\w+)\.[cm]js$/, '$1');
    const below = this.#moved === '' ? null : pathWithin(path, this.#moved);
    if (below !== null) return `tests/${below}`;
    return this.#moved === '' && this.#tests.has(original) ? `tests/${path}` : path;
  }

  #from(file: string, name: string): string {
    const path = posix.relative(parentOf(this.#placeOf(file)), this.#placeOf(name));
    return path.startsWith('.') ? path : `./${path}`;
  }
}

const OF_OTHERS = /\b(?:require|__dirname|__filename|document|window)\b|\bimport\.meta\.(?:env|glob)\b/;
const LOADING = /^(?:import_statement|export_statement|call_expression)$/;

/** Imported names that only types used are gone too. */
async function withoutTypes(tree: SyntaxTree): Promise<SyntaxTree | null> {
  const text = stripTypes(tree);
  const plain = text === null ? null : await parse('javascript', text);
  if (text === null || plain === null || plain.broken) return null;
  const unused = [...plain.root.ofType('import_specifier')].filter((one) => {
    const name = (one.child('alias') ?? one.child('name'))?.text ?? '';
    return text.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', String.raw`\$`)}(?![\\w$])`)).length === 2;
  });
  const edits = unused.map((one) => ({
    start: one.start,
    end: one.next?.type === ',' ? one.next.end : one.end,
    text: '',
  }));
  return parse('javascript', applyEdits(text, edits));
}
