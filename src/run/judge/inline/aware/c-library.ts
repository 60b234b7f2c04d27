import type { SyntaxNode } from '../../syntax/node.ts';
import type { TestAwareCode, TestAwareKind } from './aware.ts';

/** What tests compare, report and end with. A program that defines one of these itself uses its own instead of the C library's. */
const FUNCTIONS = new Set(
  'strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strstr strlen exit _exit _Exit quick_exit abort __assert_fail __assert raise atexit printf fprintf vprintf vfprintf puts putchar fputs perror write fwrite fopen freopen snprintf sprintf vsnprintf vsprintf pthread_exit __libc_start_main __cxa_throw __printf_chk'.split(
    ' ',
  ),
);
const KEYWORDS = 'if else while for do switch case return int char void const static bool double float struct main';
/** A macro of such a name changes what every file below it says. */
const WORDS = new Set([...FUNCTIONS, ...KEYWORDS.split(' ')]);

/** Definitions in C and C++ that give another meaning to a name of the language or of its library. */
export function libraryNames(root: SyntaxNode): readonly TestAwareCode[] {
  const macros = [...root.ofType('preproc_def', 'preproc_function_def')].filter((node) =>
    node.children.some(({ role, text }) => role === 'name' && WORDS.has(text)),
  );
  const functions = [...root.ofType('function_definition')].filter(
    (node) => FUNCTIONS.has(definedName(node)) && !node.children.some(({ text }) => text === 'static'),
  );
  return [
    ...[...macros, ...functions, ...[...root.ofType('declaration')].filter(standsForFunction)].map(found('assertion')),
    ...asksForProgram(root).map(found('environment')),
  ];
}

const found =
  (kind: TestAwareKind) =>
  (node: SyntaxNode): TestAwareCode => ({ kind, line: node.line, text: (node.text.split('\n')[0] ?? '').trim() });

/** A variable, or a function that is chosen when the program starts, in the place of one of the C library. */
function standsForFunction(node: SyntaxNode): boolean {
  const isElsewhere = /^extern\b[^=]*$/.test(node.text) && !/\bifunc\s*\(/.test(node.text);
  const isOwn = node.children.some(({ text }) => text === 'static') || isElsewhere;
  const isLocal = [...node.ancestors()].some(({ type }) => type === 'function_definition');
  if (isOwn || isLocal || !FUNCTIONS.has(definedName(node))) return false;
  const isPrototype = [...node.ofType('function_declarator')].length > 0;
  return !isPrototype || /\bifunc\s*\(/.test(node.text);
}

/** A library that asks for the main function of its program wants to know which program that is. */
function asksForProgram(root: SyntaxNode): readonly SyntaxNode[] {
  if ([...root.ofType('function_definition')].some((node) => definedName(node) === 'main')) return [];
  return [...root.ofType('identifier')].filter(
    ({ text, parent }) => text === 'main' && !/declarator$|^qualified_identifier$|^preproc/.test(parent?.type ?? ''),
  );
}

/** Functions of Rust that other code finds by the name of one of the C library. */
export function libraryNamesInRust(root: SyntaxNode): readonly TestAwareCode[] {
  return [...root.ofType('attribute_item')].flatMap((attribute) => {
    const named = /\bexport_name\s*=\s*"([^"]*)"/.exec(attribute.text)?.[1];
    if (named === undefined && !/\bno_mangle\b/.test(attribute.text)) return [];
    const siblings = attribute.parent?.children ?? [];
    const item = siblings.slice(attribute.index + 1).find(({ type }) => !/attribute|comment/.test(type));
    return FUNCTIONS.has(named ?? item?.child('name')?.text ?? '') ? [found('assertion')(item ?? attribute)] : [];
  });
}

/** The same in the text of an assembler. */
export const libraryNamesInAssembler = (line: string): boolean =>
  FUNCTIONS.has(/^\s*\.(?:globl|global|weak|set|symver)\s+(\w+)/.exec(line)?.[1] ?? '');

/** Below pointers and attributes. */
function definedName(node: SyntaxNode): string {
  const next = node.child('declarator') ?? (node.type.endsWith('_declarator') ? node.firstOfType('identifier') : null);
  if (next === null) return node.type === 'identifier' ? node.text : '';
  return definedName(next);
}
