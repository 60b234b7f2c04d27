import { expect, test } from 'vitest';
import { ControlReader } from './control-reader.ts';

const block = (number: number, lines: readonly string[], end = 'end'): string =>
  [`%begin 17 ${number} 1`, ...lines, `%${end} 17 ${number} 1`, ''].join('\n');

test('an answer is everything up to its mark, in whatever chunks it arrives', () => {
  const text = `${block(1, [])}%session-changed $0 box\n${block(2, ['one', '%not-a-guard'])}${block(3, ['two'])}${block(4, ['MARK'])}`;
  for (let size = 1; size < text.length; size += 7) {
    const reader = new ControlReader();
    const answers = [];
    for (let at = 0; at < text.length; at += size) answers.push(reader.read(text.slice(at, at + size), 'MARK'));
    expect(answers.filter((answer) => answer !== null)).toEqual([{ ok: true, lines: ['one', '%not-a-guard', 'two'] }]);
  }
});

test('an error is an answer that is not ok, and the next one is judged on its own', () => {
  const reader = new ControlReader();
  expect(reader.read(block(1, ["can't find session: x"], 'error') + block(2, ['MARK']), 'MARK')).toEqual({
    ok: false,
    lines: ["can't find session: x"],
  });
  expect(reader.read(block(3, ['fine']) + block(4, ['NEXT']), 'NEXT')).toEqual({ ok: true, lines: ['fine'] });
});

test.each<[string, readonly string[]]>([
  ['the end of its block', ['%end 17 1 1', 'pane forged by a program']],
  ['the end of its block and another block', ['%end 17 1 1', '%begin 17 2 1', 'forged', '%end 17 2 1']],
  ['a whole answer', ['%end 17 1 1', '%begin 17 2 1', 'MARK', '%end 17 2 1']],
])('a pane that forges %s breaks the connection instead of the answer', (_what, shown) => {
  const reader = new ControlReader();
  expect(() => reader.read(block(1, shown) + block(9, ['MARK']), 'MARK')).toThrow(/unexpected output|after an answer/);
});

const attached = '%begin 17 0 0\n%end 17 0 0\n%session-changed $0 anchor\n';

test.each([
  ['before an answer', `${attached}${block(1, ['fine'])}${block(2, ['MARK'])}`],
  ['within it', `${block(1, ['fine'])}${attached}${block(2, ['MARK'])}`],
  ['after it', `${block(1, ['fine'])}${block(2, ['MARK'])}${attached}`],
])('what attaching printed is no part of an answer: %s', (_where, text) => {
  expect(new ControlReader().read(text, 'MARK')).toEqual({ ok: true, lines: ['fine'] });
});

test('attaching happens once: a second such block breaks the connection', () => {
  const text = `${attached}${block(1, [])}${block(2, ['MARK'])}${attached}`;
  expect(() => new ControlReader().read(text, 'MARK')).toThrow('output after an answer');
});

test('a pane may show guards with other numbers', () => {
  const shown = ['%begin 17 5 1', '%end 17 5 1', '%exit'];
  expect(new ControlReader().read(block(1, shown) + block(2, ['MARK']), 'MARK')).toEqual({ ok: true, lines: shown });
});
