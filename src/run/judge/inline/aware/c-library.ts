import type { SyntaxNode } from '../../syntax/node.ts';
import type { TestAwareCode } from './aware.ts';

/** What tests compare, report and end with. A program that defines one of these itself uses its own instead of the C library's. */
const FUNCTIONS = new Set(
  'strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strstr strlen exit _exit _Exit quick_exit abort __assert_fail __assert raise atexit printf fprintf vprintf vfprintf puts putchar fputs perror'.split(
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
  return [...macros, ...functions].map((node) => ({
    kind: 'assertion' as const,
    line: node.line,
    text: (node.text.split('\n')[0] ?? '').trim(),
  }));
}

/** Below pointers and attributes. */
function definedName(node: SyntaxNode): string {
  const next = node.children.find(({ role }) => role === 'declarator');
  if (next === undefined) return node.type === 'identifier' ? node.text : '';
  return definedName(next);
}
