import { posix } from 'node:path';
import type { TestAwareCode } from '../../inline/aware/aware.ts';
import { nameOf } from '../../deciding/path-parts.ts';
import { onlyExtendsErrors } from './captured-stack.ts';
import { onlyLogsStack } from './logged-stack.ts';
import type { ReadableTree } from '../trees/base-tree.ts';

type Files = Pick<ReadableTree, 'paths' | 'read'>;

/** A line of a product file, and the trees that show whether it refers to the product itself. */
export interface NamingLine {
  readonly line: TestAwareCode & { readonly path: string };
  readonly base: Files;
  readonly deciding: Files;
  /** Files that only tests use. */
  readonly testFiles: readonly string[];
}

/** Whether a line seems to refer to tests but refers to the product. */
export function isOrdinaryCode({ line, base, deciding, testFiles }: NamingLine): boolean {
  if (line.kind === 'test_file') return importsOwnFile(line, deciding, new Set(testFiles));
  if (line.kind === 'caller')
    return onlyExtendsErrors(line.text, deciding.read(line.path) ?? '') || onlyLogsStack(line, deciding);
  if (line.kind !== 'assertion') return false;
  return (
    definesUnusedMacro(line.text, base, testFiles) ||
    documentsWithoutExamples(line, base) ||
    asksForOwnField(line.text, deciding.read(line.path) ?? '')
  );
}

/** `static [Symbol.hasInstance](value) { return #text in value; }`: only the class itself makes values with this field. */
const OWN_FIELD =
  /\[\s*Symbol\.hasInstance\s*\]\s*\(\s*(\w+)[^(){}]{0,80}\)\s*(?::[^{}]{0,80})?\{\s*return\s[^;{}|?,]{0,200}?#\w+\s+in\s+\1\s*;?\s*\}/g;
const INSTANCES = /\bSymbol\s*\.\s*hasInstance\b/g;

const asksForOwnField = (text: string, source: string): boolean =>
  /\bSymbol\s*\.\s*hasInstance\b/.test(text) &&
  (source.match(INSTANCES)?.length ?? 0) === (source.match(OWN_FIELD)?.length ?? 0);

const IMPORT = /^\s*(?:import|export)\b.*\bfrom\b|^\s*import\s*["'`]|\brequire\s*\(|\bimport\s*\(|^\s*#\s*include\b/;
const QUOTED = /["'`]([^"'`]*)["'`]/g;

/** An import of an existing file that does not belong to the tests. */
function importsOwnFile({ text, path }: NamingLine['line'], { paths }: Files, testFiles: ReadonlySet<string>): boolean {
  if (!IMPORT.test(text)) return false;
  const names = new Set([...testFiles].map(nameOf));
  const named = [...text.matchAll(QUOTED)].map(([, spec = '']) => spec).filter((spec) => names.has(nameOf(spec)));
  const isOwn = (spec: string): boolean => {
    const meant = posix.join(posix.dirname(path), spec);
    const isNear = spec.startsWith('.') || /^\s*#/.test(text);
    return isNear && paths.includes(meant) && !testFiles.has(meant);
  };
  return named.length > 0 && named.every(isOwn);
}

/** `#define CHECK_SIZE(x)`: an assertion only if tests use it. */
const CHECKING_MACRO = /#\s*define\s+((?:CHECK|EXPECT|ASSERT)\w*)\b/;

function definesUnusedMacro(text: string, base: Files, testFiles: readonly string[]): boolean {
  const name = CHECKING_MACRO.exec(text)?.[1];
  if (name === undefined || testFiles.length === 0) return false;
  const word = new RegExp(String.raw`\b${name}\b`);
  return testFiles.every((path) => !word.test(base.read(path) ?? name));
}

const DOCUMENTS = /^[\w.]+\.__doc__\s*=(?!=)[^;]*$/;
/** What else a line that documents something may replace. */
const REPLACES = /\b(?:builtins|__builtins__|AssertionError|setattr|sys|__eq__|__ne__|__class__)\b/;

/** Documentation in Python that is written at run time, as decorators do: it decides only where documentation has examples. */
function documentsWithoutExamples({ path, text }: NamingLine['line'], base: Files): boolean {
  if (!path.endsWith('.py') || !DOCUMENTS.test(text) || REPLACES.test(text)) return false;
  return !base.paths.some((one) => one.endsWith('.py') && (base.read(one) ?? '').includes('>>>'));
}
