import { expect, test } from 'vitest';
import { onlyLogsStack } from './logged-stack.ts';

function isLogged(text: string, files: Readonly<Record<string, string>> = {}): boolean {
  const all: Readonly<Record<string, string>> = { 'serve.go': `import "log"\n${text}\n`, ...files };
  const line = { kind: 'caller' as const, path: 'serve.go', line: 2, text };
  return onlyLogsStack(line, { paths: Object.keys(all), read: (path) => all[path] ?? null });
}

const LOGGED = 'log.Printf("panic (%v)\\n%s", r, debug.Stack())';

test.each([LOGGED, 'debug.PrintStack()', 'slog.Error("panic", "stack", string(debug.Stack()))'])(
  '%s only tells who called',
  (text) => {
    expect(isLogged(text)).toBe(true);
  },
);

test.each([
  'stack := debug.Stack()',
  'log.Print(bytes.Contains(debug.Stack(), runner))',
  'if look(debug.Stack()) { log.Print("a") }',
  'keep.Print(debug.Stack())',
])('%s may look at it', (text) => {
  expect(isLogged(text)).toBe(false);
});

test('a log that the product may read again is no log', () => {
  expect(isLogged(LOGGED, { 'other.go': 'log.SetOutput(&seen)\n' })).toBe(false);
  expect(isLogged(LOGGED, { 'other.go': 'var log = keeper{}\n' })).toBe(false);
  expect(isLogged(LOGGED, { 'other.go': 'import log "example.org/keep"\n' })).toBe(false);
  expect(isLogged(LOGGED, { 'serve.go': 'import "example.org/keep/log"\n' })).toBe(false);
  expect(isLogged(LOGGED, { 'serve_test.go': 'log.SetOutput(&seen)\n' })).toBe(true);
});
