import { expect, test } from 'vitest';
import { onlyExtendsErrors } from './captured-stack.ts';

const CAPTURE = 'Error.captureStackTrace(dummy);';

test('a stack that goes into the stack of an error is no look at the caller', () => {
  const code = `
    let dummy = {};
    Error.captureStackTrace ? Error.captureStackTrace(dummy) : (dummy = new Error());
    const stack = dummy.stack ? dummy.stack.replace(/^.+\\n/, '') : '';
    if (!err.stack) err.stack = stack;
    else if (stack && !String(err.stack).endsWith(stack.replace(/^.+\\n.+\\n/, ''))) err.stack += '\\n' + stack;
  `;
  expect(onlyExtendsErrors(CAPTURE, code)).toBe(true);
  expect(onlyExtendsErrors(CAPTURE, `const dummy = {};\n${CAPTURE}\nerror.stack = dummy.stack;`)).toBe(true);
});

test.each([
  'return /test/.test(dummy.stack);',
  "const tested = dummy.stack.includes('test');",
  'const deep = dummy.stack.length > 400;',
  "const s = dummy.stack;\nif (s.split('\\n').length > 8) work();",
  "const s = dummy.stack;\nif (s.replace(/test/, '') !== s) work();",
  "const s = dummy.stack.replace(/spec/, '');\nerr.stack = s;",
  "if (dummy.stack.replace(/^.+\\n/, '') === known) work();",
  'look(dummy);',
  'look(1, dummy);',
  'const { stack } = dummy;',
  'const other = dummy;',
  "const s = dummy['stack'];",
  'const s = { ...dummy };',
  'switch (dummy.stack) {}',
])('%s is one', (use) => {
  expect(onlyExtendsErrors(CAPTURE, `const dummy = {};\n${CAPTURE}\n${use}\n`)).toBe(false);
});

test('a stack that is captured in other ways is not judged here', () => {
  expect(onlyExtendsErrors('Error.prepareStackTrace = look;', '')).toBe(false);
});
