import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { TestAwareCode } from './aware.ts';

/**
 * Names that the language predefines. `min`, `max`, `any` and `clear` are left out, since much older code defines its own; so is
 * `Result`, which Rust code often redefines.
 */
const GIVEN: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  go: new Set(
    'len cap true false nil iota append make panic recover bool string error byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64'.split(
      ' ',
    ),
  ),
  rust: new Set('String Vec Option Some None Ok Err Box ToString PartialEq Eq PartialOrd Ord Iterator'.split(' ')),
};

const DECLARES: Readonly<Partial<Record<Language, readonly string[]>>> = {
  go: ['function_declaration', 'var_spec', 'const_spec', 'type_spec', 'type_alias'],
  rust: ['struct_item', 'enum_item', 'union_item', 'type_item', 'trait_item', 'function_item', 'const_item'],
};
/** Declarations inside these nodes are visible nowhere else. */
const CLOSED = /^(?:block|func_literal|impl_item|trait_item|declaration_list)$/;

/** Declarations that redefine a predefined name for a whole package or module, and so for the tests in it. */
export function givenNames(root: SyntaxNode, language: Language): readonly TestAwareCode[] {
  const [given, types] = [GIVEN[language], DECLARES[language]];
  if (given === undefined || types === undefined) return [];
  return [...root.ofType(...types)].flatMap((node) => {
    const names = node.children.filter(({ role }) => role === 'name').map(({ text }) => text);
    if (!names.some((name) => given.has(name)) || isClosed(node)) return [];
    return [{ kind: 'assertion' as const, line: node.line, text: (node.text.split('\n')[0] ?? '').trim() }];
  });
}

/** A module inside a file is not closed: the `declaration_list` of a `mod_item` is visible to code that uses it. */
const isClosed = (node: SyntaxNode): boolean =>
  [...node.ancestors()].some(
    (around) => CLOSED.test(around.type) && !(around.type === 'declaration_list' && around.parent?.type === 'mod_item'),
  );
