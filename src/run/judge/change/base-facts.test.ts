import { expect, test } from 'vitest';
import type { BaseRecord, RecordedTest } from '../../../evidence/schema/base-record.ts';
import { baseFacts } from './base-facts.ts';

const FILES: Readonly<Record<string, string>> = {
  'pyproject.toml': 'include = ["CHANGES.rst"]\n',
  'CHANGES.rst': '1.0\n',
  'flag.txt': '',
  'words.py': 'def one():\n    """\n    >>> one()\n    1\n    """\n',
  'test_words.py': 'import os\nos.path.exists("flag.txt")\n',
  'pkg/test_client.py': 'class Client: pass\n',
};

function factsOf(tests: readonly RecordedTest[], more: Partial<BaseRecord> = {}) {
  const record: BaseRecord = {
    schema_version: 1,
    key: '0'.repeat(64),
    test_command: 'python3 -m pytest --doctest-modules',
    runner: 'pytest',
    exit_code: 0,
    duration_ms: 1,
    tests: [...tests],
    flaky: [],
    failed_commands: [],
    collected: ['pkg/test_client.py', 'test_words.py', 'words.py'],
    found_by: 'strace',
    read: ['pyproject.toml', 'test_words.py', 'words.py'],
    asked: [],
    missing: [],
    written: [],
    listed: [],
    links: [],
    outside_modules: [],
    ...more,
  };
  return baseFacts(record, { paths: Object.keys(FILES), links: new Map(), read: (path) => FILES[path] ?? null });
}

const passed = (id: string, file: string | null): RecordedTest => ({ id, outcome: 'passed', file });
const TESTS = [
  passed('test_words.py::test_one', 'test_words.py'),
  passed('test_words.py::test_two[a.b]', 'test_words.py'),
  passed('words.py::words.one', 'words.py'),
];

test('a module that was loaded for its name alone is not collected', () => {
  expect(factsOf(TESTS).collected).toEqual(['test_words.py', 'words.py']);
  // Where it is not known which file a test came from, every loaded file may be the one.
  expect(factsOf([...TESTS, passed('other', null)]).collected).toContain('pkg/test_client.py');
});

test('a file is doctested if it has examples and no other tests', () => {
  expect(factsOf(TESTS).doctested).toEqual(['words.py']);
  expect(factsOf([...TESTS, passed('words.py::test_inside', 'words.py')]).doctested).toEqual([]);
});

test('a file that tests ask about counts as read, one that only the manifest names does not', () => {
  const { read } = factsOf(TESTS, { asked: ['CHANGES.rst', 'flag.txt'] });
  expect(read).toContain('flag.txt');
  expect(read).not.toContain('CHANGES.rst');
});
