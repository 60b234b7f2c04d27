import { expect, test } from 'vitest';
import { applyEdits } from './edits.ts';
import { type Language, languageOf } from './language.ts';
import { parse } from './parse.ts';

const PROGRAMS: Readonly<Record<Language, string>> = {
  python: '# größe 😀\ndef größe(x):\n    return "é" + x\n',
  javascript: '// größe 😀\nconst größe = (x) => `é${x}`;\n',
  typescript: '// größe 😀\nconst größe = <T>(x: T): string => `é${x}`;\n',
  tsx: '// größe 😀\nconst größe = (x: string) => <b title="é">{x}</b>;\n',
  go: '// größe 😀\npackage a\n\nvar größe = "é" + "x"\n',
  rust: '// größe 😀\nfn größe() -> &\'static str { "é" }\n',
  c: '/* größe 😀 */\nint größe(void) { return "é"[0]; }\n',
  bash: '# größe 😀\ngreet() { echo "é $1"; }\n',
};

test.for(Object.entries(PROGRAMS))(
  '%s: offsets fit the text, also behind letters that are not ASCII',
  async ([language, text]) => {
    const tree = await parse(language as Language, text);
    expect(tree?.broken).toBe(false);
    const comment = [...(tree?.root.walk() ?? [])].find((node) => node.type.endsWith('comment'));
    expect(comment?.text).toContain('größe 😀');
    const literal = [...(tree?.root.walk() ?? [])].findLast(
      (node) => node.children.length === 0 && node.text.includes('é'),
    );
    expect(literal?.text).toMatch(/^"?é ?"?$/);
    const edited = applyEdits(text, [{ start: literal?.start ?? 0, end: literal?.end ?? 0, text: 'SWAPPED' }]);
    expect(edited).toBe(text.replace(literal?.text ?? '', 'SWAPPED'));
  },
);

test('a file with a syntax error is parsed around it', async () => {
  const tree = await parse('python', 'def a():\n    return 1\n\ndef b(:\n');
  expect(tree?.broken).toBe(true);
  expect([...(tree?.root.ofType('function_definition') ?? [])][0]?.child('name')?.text).toBe('a');
});

test('a file that nests very deep is parsed and walked', async () => {
  const tree = await parse('javascript', `x = ${'['.repeat(20_000)}${']'.repeat(20_000)};`);
  expect([...(tree?.root.ofType('array') ?? [])]).toHaveLength(20_000);
});

test('a file of many megabytes is not parsed', async () => {
  expect(await parse('javascript', 'a;'.repeat(3_000_000))).toBeNull();
});

test('lines are counted from one', async () => {
  const tree = await parse('python', 'a = 1\n\nb = 2\n');
  expect(tree?.root.namedChildren.map((node) => node.line)).toEqual([1, 3]);
});

test.for([
  ['a/b.py', '', 'python'],
  ['a.d.ts', '', 'typescript'],
  ['A.TSX', '', 'tsx'],
  ['x.cjs', '', 'javascript'],
  ['lib.hpp', '', 'c'],
  ['test/x.bats', '', 'bash'],
  ['bin/tool', '#!/usr/bin/env -S python3 -I\n', 'python'],
  ['bin/tool', '#!/bin/sh -e\n', 'bash'],
  ['bin/tool', '#!/usr/bin/env node\n', 'javascript'],
  ['bin/tool', 'plain', null],
  ['.bashrc', '', null],
  ['x.constructor', '', null],
] as const)('%s %j is %s', ([path, text, language]) => {
  expect(languageOf(path, text)).toBe(language);
});

test('insertions at one place keep their order, overlapping edits are refused', () => {
  const at = (start: number, end: number, text: string) => ({ start, end, text });
  expect(applyEdits('abc', [at(2, 2, '>'), at(1, 1, '<'), at(2, 2, '!')])).toBe('a<b>!c');
  expect(() => applyEdits('abc', [at(0, 2, ''), at(1, 3, '')])).toThrow('overlaps');
});
