import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.ts';
import type { Language } from './language.ts';

const GRAMMAR_FILES = {
  python: 'tree-sitter-python.wasm',
  javascript: 'tree-sitter-javascript.wasm',
  typescript: 'tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-tsx.wasm',
  go: 'tree-sitter-go.wasm',
  rust: 'tree-sitter-rust.wasm',
  c: 'tree-sitter-cpp.wasm',
  bash: 'tree-sitter-bash.wasm',
} as const satisfies Record<Language, string>;

type Runtime = Pick<typeof TreeSitter, 'Parser' | 'Language'>;

let runtime: Promise<Runtime> | undefined;
const parsers = new Map<Language, Promise<TreeSitter.Parser>>();

/** Loads the runtime and the grammar once a process, when they are first asked for: most commands never are. */
export function parserFor(language: Language): Promise<TreeSitter.Parser> {
  let parser = parsers.get(language);
  if (parser === undefined) parsers.set(language, (parser = loadParser(language)));
  return parser;
}

async function loadParser(language: Language): Promise<TreeSitter.Parser> {
  runtime ??= loadRuntime();
  const treeSitter = await runtime;
  const parser = new treeSitter.Parser();
  return parser.setLanguage(await treeSitter.Language.load(readFileSync(join(grammarDir(), GRAMMAR_FILES[language]))));
}

async function loadRuntime(): Promise<Runtime> {
  const { default: treeSitter } = await import('@vscode/tree-sitter-wasm');
  await treeSitter.Parser.init({ locateFile: (file) => join(grammarDir(), file) });
  return treeSitter;
}

/** In a clone the development package; in an installed package, which has no dependencies, the copy that the build made. */
function grammarDir(): string {
  const development = join(packageRoot(), 'node_modules/@vscode/tree-sitter-wasm/wasm');
  return existsSync(development) ? development : join(packageRoot(), 'dist/grammars');
}
