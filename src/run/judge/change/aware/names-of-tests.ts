import type { ReadableTree } from '../trees/base-tree.ts';
import { normalizeSource } from '../../inline/aware/normalize-source.ts';
import { languageOf } from '../../syntax/language.ts';
import type { AwareLine } from './aware-line.ts';

type Files = Pick<ReadableTree, 'paths' | 'read'>;

interface NamesRequest {
  readonly base: Files;
  readonly deciding: Pick<Files, 'read'>;
  /** Files that only tests use. */
  readonly testFiles: readonly string[];
}

/** What the base's files in C and C++ say. */
interface Texts {
  readonly tests: readonly string[];
  readonly product: readonly string[];
}

/**
 * Lines in C and C++ that give another meaning to a name which tests of the base use: what these call is then not what others call, and
 * what they compare is not what it seems. A name that the base does not have, as tests that were written first use it, is free.
 */
export function takenNames(
  paths: readonly string[],
  { base, deciding, testFiles }: NamesRequest,
): readonly AwareLine[] {
  const tests = testFiles.filter(isC).map((path) => base.read(path) ?? '');
  const changed = paths.filter(isC);
  if (tests.length === 0 || changed.length === 0) return [];
  const product = base.paths.filter((path) => isC(path) && !testFiles.includes(path));
  const texts = { tests, product: product.map((path) => base.read(path) ?? '') };
  return changed.flatMap((path) => {
    const rules = isHeader(path) ? [isTakenByMacro, isTakenByFunction, isTakenByEquality] : [isTakenByMacro];
    return normalizeSource('c', deciding.read(path) ?? '')
      .split('\n')
      .flatMap((line, index): readonly AwareLine[] =>
        rules.some((rule) => rule(line, texts))
          ? [{ kind: 'assertion', path, line: index + 1, text: line.trim() }]
          : [],
      );
  });
}

const isC = (path: string): boolean => languageOf(path) === 'c';
const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx)$/.test(path);

const MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$/;
/** `64`, `"text"`: the name of a constant, however it was written before. */
const CONSTANT = /^\s+\(?\s*(?:[-+]?[\d.][\w.]*|"(?:[^"\\]|\\.)*"|'[^']*')\s*\)?\s*$/;

function isTakenByMacro(line: string, { tests, product }: Texts): boolean {
  const [, name, value = ''] = MACRO.exec(line) ?? [];
  if (name === undefined || !has(tests, name)) return false;
  const isMacro = new RegExp(String.raw`^[ \t]*#[ \t]*define[ \t]+${name}\b`, 'm');
  if (product.some((text) => isMacro.test(text))) return false;
  return has(product, name) ? !CONSTANT.test(value) : declares(tests, name);
}

const FUNCTION = /^[ \t]*(?!return\b|else\b|#)[A-Za-z_][\w \t:<>,*&]*[ \t*&](\w+)[ \t]*\([^;=]*\)[^;=]*[{;]/;

/** A function of a type's namespace is preferred to one of the tests, whoever calls it. */
function isTakenByFunction(line: string, { tests, product }: Texts): boolean {
  const name = FUNCTION.exec(line)?.[1];
  return name !== undefined && name !== 'main' && !has(product, name) && declares(tests, name);
}

const EQUALITY =
  /\boperator\s*[!=]=\s*\(\s*(?:const\s+)?([\w:]+)[\s&]*\w*\s*(?:,\s*(?:const\s+)?([\w:]+(?:\s*\*)?)[\s&]*\w*\s*)?\)/;

/** A type that no test knows says what equals its values: a test meant to compare something else. */
function isTakenByEquality(line: string, { tests, product }: Texts): boolean {
  const [, left, right] = EQUALITY.exec(line) ?? [];
  if (left === undefined || right === undefined || left === right) return false;
  return ![left, right].some((type) => !/^(?:std::|char\b)/.test(type) && (has(tests, type) || has(product, type)));
}

const has = (texts: readonly string[], name: string): boolean =>
  texts.some((text) => new RegExp(String.raw`\b${name.replaceAll('*', '').trim()}\b`).test(text));

/** Whether a function, a variable or a macro of that name is written down outside of functions. */
const declares = (texts: readonly string[], name: string): boolean =>
  texts.some((text) =>
    new RegExp(String.raw`^(?:#[ \t]*define[ \t]+|(?!return\b|else\b)[A-Za-z_][\w \t:<>]*[ \t*&]+)${name}\b`, 'm').test(
      text,
    ),
  );
