import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseJsonc, valueAt } from '../../deciding/manifest-text.ts';
import { extensionOf, joinPaths, parentOf, pathWithin } from '../../deciding/path-parts.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { applyEdits, type Edit } from '../../syntax/edits.ts';
import { javascriptImports } from '../../syntax/imports/javascript.ts';
import { languageOf } from '../../syntax/language.ts';
import type { SyntaxNode, SyntaxTree } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import { OWN_NAME } from './program.ts';
import { stripTypes } from './strip-types.ts';

const RUNNER_PACKAGE = /^(?:vitest|@jest\/globals|mocha|chai|ava|(?:node:)?test)$/;
const ENDINGS = ['', '.ts', '.js', '.mts', '.mjs', '.cjs', '/index.ts', '/index.js'];
const MAX_MODULES = 500;

/** Where test files are put, relative to the code. */
interface TestPlace {
  /** Prepended to each test file. */
  readonly prelude: string;
  /**
   * The directory that moves with the tests, which are then kept apart from the code; empty: none does. Null: each file stays where it
   * was, under a neutral name.
   */
  readonly moved: string | null;
  /** An expression for what a test file imports from its runner. Absent: those names already exist, and nothing is imported. */
  readonly runner?: string;
  /** Node.js can load the JavaScript of this tree unchanged. */
  readonly isForNode?: boolean;
}

/** Modules of a tree, converted so that Node.js can load them, each written beside its original. */
export class LoadableModules {
  readonly texts = new Map<string, string>();
  /** The modules use packages that a bundler resolves differently, or names that Node.js does not define in a module. */
  usesOthers = false;
  readonly #files: TestFiles;
  readonly #paths: ReadonlySet<string>;
  readonly #tests: ReadonlySet<string>;
  readonly #place: TestPlace;
  readonly #names = new Map<string, string>();

  constructor(files: TestFiles, tests: readonly string[], place: TestPlace) {
    this.#files = files;
    this.#paths = new Set(files.paths);
    this.#tests = new Set(tests);
    this.#place = place;
  }

  /** The file to load instead of this one. Null: it cannot be converted. */
  async add(file: string): Promise<string | null> {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const text = this.#files.read(file);
    const language = text === null ? null : languageOf(file, text);
    const tree = text === null || language === null ? null : await parse(language, text);
    if (tree === null || language === 'tsx' || this.#names.size >= MAX_MODULES) return null;
    const isTest = this.#tests.has(file);
    const isModule = tree.root.children.some(({ type }) => /^(?:import|export)_statement$/.test(type));
    // Node.js loads it unchanged, with everything that it requires.
    const ending = isModule ? '.mjs' : '.cjs';
    const name = isTest
      ? this.#nameOfTest(file, ending)
      : (isModule && this.#place.isForNode !== true) || language !== 'javascript'
        ? `${file}${ending}`
        : file;
    this.#names.set(file, name);
    if (name === file) return name;
    const plain = language === 'javascript' ? tree : await withoutTypes(tree);
    const rewritten = plain === null ? null : await this.#rewrite(file, plain);
    if (rewritten === null) return null;
    if (!isTest && OF_OTHERS.test(rewritten)) this.usesOthers = true;
    this.texts.set(name, isTest ? this.#place.prelude + rewritten : rewritten);
    return name;
  }

  async #rewrite(file: string, { text, root }: SyntaxTree): Promise<string | null> {
    const edits: Edit[] = [];
    for (const { kind, specifier, start, end } of javascriptImports(root)) {
      if (kind === 'resource') continue;
      const node = [...root.walk()].find((one) => one.start === start && one.end === end && LOADING.test(one.type));
      if (node === undefined) return null;
      if (this.#tests.has(file) && RUNNER_PACKAGE.test(specifier)) {
        const edit = this.#withoutRunner(node);
        if (edit === null) return null;
        edits.push(edit);
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

  #withoutRunner(node: SyntaxNode): Edit | null {
    const { runner } = this.#place;
    if (node.type !== 'import_statement' && runner !== undefined)
      return { start: node.start, end: node.end, text: `(${runner})` };
    const statement =
      node.type === 'import_statement' ? node : [...node.ancestors()].find(({ type }) => type.endsWith('_declaration'));
    if (statement === undefined) return null;
    const names = runner === undefined ? '' : bindings(statement, runner);
    return { start: statement.start, end: statement.end, text: names };
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

  /** The file that `require` loads for a directory, if its package.json names one. */
  #mainOf(dir: string): string {
    const manifest = this.#files.read(dir === '' ? 'package.json' : `${dir}/package.json`);
    const main = valueAt(parseJsonc(manifest ?? ''), ['main']);
    return typeof main === 'string' ? main : '';
  }

  #nameOfTest(file: string, ending: string): string {
    if (this.#place.moved !== null) return `${file}${ending}`;
    const name = `${OWN_NAME}${this.#names.size}${ending}`;
    return parentOf(file) === '' ? name : `${parentOf(file)}/${name}`;
  }

  /** Where a file is while the tests run. */
  #placeOf(path: string): string {
    const { moved } = this.#place;
    if (moved === null) return path;
    const original = path.replace(/(\.\w+)\.[cm]js$/, '$1');
    const below = moved === '' ? null : pathWithin(path, moved);
    if (below !== null) return `tests/${below}`;
    return moved === '' && this.#tests.has(original) ? `tests/${path}` : path;
  }

  #from(file: string, name: string): string {
    const path = posix.relative(parentOf(this.#placeOf(file)), this.#placeOf(name));
    return path.startsWith('.') ? path : `./${path}`;
  }
}

/** `import one, { two as three } from …` as declarations of the same names. */
function bindings(statement: SyntaxNode, from: string): string {
  const [clause] = [...statement.ofType('import_clause')];
  const named = [...statement.ofType('import_specifier')].map((one) => {
    const [name = '', alias = name] = [one.child('name')?.text, one.child('alias')?.text];
    return `${name}: ${alias}`;
  });
  const whole = [
    ...(clause?.parts.filter(({ type }) => type === 'identifier') ?? []),
    ...[...statement.ofType('namespace_import')].flatMap(({ parts }) => parts),
  ].map(({ text }) => `const ${text} = ${from};`);
  return [...whole, ...(named.length === 0 ? [] : [`const { ${named.join(', ')} } = ${from};`])].join(' ');
}

const OF_OTHERS = /\b(?:require|__dirname|__filename|document|window)\b|\bimport\.meta\.(?:env|glob)\b/;
const LOADING = /^(?:import_statement|export_statement|call_expression)$/;

/** Also removes imported names that only types used. */
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
