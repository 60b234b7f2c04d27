import { expect, test } from 'vitest';
import type { TestAwareKind } from '../../inline/aware/aware.ts';
import { actsOnExitCode } from './exit-codes.ts';

const line = (kind: TestAwareKind, path: string) => ({ kind, path, line: 1, text: 'exit(0);' });
const LIBRARY = 'int count(const char *text)\n{\n    exit(0);\n}\n';

test('a library that ends its process with success is refused where a script reports what test programs say', () => {
  expect(actsOnExitCode(line('exit', 'src/count.c'), 'of_test_programs', LIBRARY)).toBe(true);
  expect(actsOnExitCode(line('process', 'src/count.c'), 'of_test_programs', LIBRARY)).toBe(true);
  expect(actsOnExitCode(line('exit', 'src/count.c'), 'none', LIBRARY)).toBe(false);
});

test.each([
  ['src/main.c', `${LIBRARY}int main(void)\n{\n    return 0;\n}\n`],
  ['tool.py', 'import sys\n\n\ndef main():\n    sys.exit(0)\n'],
  ['bin/tool.js', '#!/usr/bin/env node\nprocess.exit(0);\n'],
])('how a program ends is its own business: %s', (path, source) => {
  expect(actsOnExitCode(line('exit', path), 'of_test_programs', source)).toBe(false);
  expect(actsOnExitCode(line('exit', path), 'all', source)).toBe(true);
});

test('Python that looks at loaded modules ends nothing', () => {
  expect(actsOnExitCode(line('process', 'a.py'), 'of_test_programs', 'import sys\nsys.modules\n')).toBe(false);
});
