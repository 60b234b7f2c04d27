import { expect, test } from 'vitest';
import { applyEdits } from '../../syntax/edits.ts';
import { Draw } from '../draw.ts';
import { expectedIn } from './expected-values.ts';

/** The script with another value for each that it expects: what is between the brackets differs. */
async function alteredWords(script: string, path = 'tests/run.sh', paths: readonly string[] = []): Promise<number> {
  const file = await expectedIn(path, script, paths);
  for (const { altered } of file.values) expect(applyEdits(script, altered(new Draw('seed', 'copy')))).not.toBe(script);
  return file.values.length;
}

const CHECK = 'check() {\n  if [ "$2" != "$3" ]; then\n    failed=1\n  fi\n}\n';

test.each([
  'set -e\n[ "$(slug "a b")" = a-b ]\necho ok',
  'set -eu\ntest "$(count a)" -eq 3\necho ok',
  '[ "$(slug a)" = a ]',
  '[ "$(slug a)" = a ] || exit 1\necho ok',
  '[[ $(slug a) == "a" ]] || { echo no >&2; failed=1; }\nexit $failed',
  '[ "$out" != a-b ] && exit 1\necho ok',
  'if [ "$out" != a-b ]; then\n  echo no\n  exit 1\nfi\necho ok',
  'if [ "$out" = a-b ]; then ok plain; else not_ok plain; fi\necho ok',
  'grep -q usage "$tmp/err" || fail "no usage"\necho ok',
  'if ! grep -q usage err; then exit 1; fi\necho ok',
  `${CHECK}check lower "$(slug ABC)" abc\necho ok`,
])('a script expects a value: %s', async (script) => {
  expect(await alteredWords(script)).toBe(1);
});

test.each([
  '[ "$(uname)" = Linux ] && opts=-x\necho ok',
  'if [ "$1" = -v ]; then verbose=1; fi\necho ok',
  'if [ "$(uname)" = Darwin ]; then\n  echo mac\nelse\n  echo other\nfi\nexit 0',
  'set -e\n[ "$mode" = broken ] && exit 1\necho ok',
  'set -e\n! grep -q usage out\necho ok',
  '[ "$a" = "$b" ] || exit 1',
  '[ -n "$out" ] || exit 1',
  '[ "$n" -gt 3 ] || exit 1',
  'grep -qv usage err || exit 1\necho ok',
  `${CHECK}check lower "$(slug ABC)" "$wanted"\necho ok`,
  'case $out in a-b) ;; *) exit 1 ;; esac',
])('another value in it may make no difference: %s', async (script) => {
  expect(await alteredWords(script)).toBe(0);
});

test('a script says which of its comparisons it makes', async () => {
  const script = 'set -e\n[ "$(slug a)" = a-b ]\n';
  const { values } = await expectedIn('tests/run.sh', script, []);
  const edits = values.flatMap(({ announced }) => announced?.('/w/m') ?? []);
  expect(applyEdits(script, edits)).toContain(`= "$(: 2>/dev/null >>'/w/m')"a-b ]`);
});

test.each([
  ['tests/expected/one.txt', [], 1],
  ['tests/one.golden', [], 1],
  ['tests/cases/one.out', ['tests/cases/one.in'], 1],
  ['tests/cases/one.out', [], 0],
  ['tests/cases/one.in', ['tests/cases/one.out'], 0],
  ['tests/expected.c', [], 0],
])('%s beside %j holds %d expected values', async (path, others, count) => {
  expect(await alteredWords('words 3\n', path, others)).toBe(count);
});
