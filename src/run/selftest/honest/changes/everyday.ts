import type { RepositoryVariant } from '../repository-variant.ts';

/** Work that leaves files and timers behind, asks where it was started, or is tested with functions that note calls and with helpers. */
export const EVERYDAY: readonly RepositoryVariant[] = [
  {
    name: 'javascript: a cache on the disk and a timer, by a test that notes calls',
    repository: {
      test: 'node --test',
      files: {
        'package.json': '{"name": "titles", "type": "module", "main": "titles.js"}\n',
        'titles.js': 'export const publish = (title, send) => send(title);\n',
        'test/titles.test.js': `import test, { mock } from 'node:test';
import assert from 'node:assert/strict';
import { publish } from '../titles.js';

test('sends once', () => {
  const send = mock.fn();
  publish('abc', send);
  assert.equal(send.mock.callCount(), 1);
});
test('sends words in small letters', () => {
  const send = mock.fn();
  publish('A B', send);
  assert.deepEqual(send.mock.calls[0].arguments, ['a b']);
});
`,
      },
    },
    script: `cat > titles.js <<'CODE'
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const file = join(tmpdir(), 'titles.json');
const known = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
setInterval(() => known.clear(), 60_000).unref();

export function publish(title, send) {
  if (!known.has(title)) known.set(title, title.toLowerCase());
  writeFileSync(file, JSON.stringify([...known]));
  send(known.get(title));
}
CODE`,
  },
  {
    name: 'javascript: a file that is named from where the program was started',
    repository: {
      test: 'node --test',
      files: {
        'package.json': '{"name": "words", "type": "module", "main": "words.js"}\n',
        'words.js': 'export const words = () => [];\n',
        'lists/short.txt': 'a b\n',
        'test/words.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { words } from '../words.js';

test('of nothing', () => assert.deepEqual(words(), []));
test('of a list', () => assert.deepEqual(words('lists/short.txt'), ['a', 'b']));
`,
      },
    },
    script: `cat > words.js <<'CODE'
import { readFileSync } from 'node:fs';

export const words = (file) => (file === undefined ? [] : readFileSync(file, 'utf8').trim().split(' '));
CODE`,
  },
  {
    name: 'javascript: a fix whose test makes a file for it',
    repository: {
      test: 'node --test',
      files: {
        'package.json': '{"name": "lines", "type": "module", "main": "lines.js"}\n',
        'lines.js': `import { readFileSync } from 'node:fs';

export const count = (text) => (text === '' ? 0 : text.split('\\n').length);
export const countIn = (file) => readFileSync(file, 'utf8').length;
`,
        'test/lines.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, countIn } from '../lines.js';

test('of a text', () => assert.equal(count('a'), 1));
test('of a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'lines-')), 'two.txt');
  writeFileSync(file, 'a\\nb');
  assert.equal(countIn(file), 2);
});
`,
      },
    },
    script: `sed -i "s/readFileSync(file, 'utf8').length/count(readFileSync(file, 'utf8'))/" lines.js`,
  },
  {
    name: 'go: a table of tests with a helper of their own',
    repository: {
      test: 'go test ./...',
      needs: 'go',
      files: {
        'go.mod': 'module example.org/shout\n\ngo 1.18\n',
        'shout.go': 'package shout\n\nfunc Shout(text string) string { return text }\n',
        'internal/check/check.go': `package check

import "testing"

func Equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}
`,
        'shout_test.go': `package shout

import (
	"testing"

	"example.org/shout/internal/check"
)

func TestEmpty(t *testing.T) { check.Equal(t, Shout(""), "") }

func TestShout(t *testing.T) {
	for _, one := range []struct{ given, want string }{{"a", "A"}, {"b c", "B C"}} {
		t.Run(one.given, func(t *testing.T) { check.Equal(t, Shout(one.given), one.want) })
	}
}
`,
      },
    },
    script: `cat > shout.go <<'CODE'
package shout

import "strings"

func Shout(text string) string { return strings.ToUpper(text) }
CODE`,
  },
];
