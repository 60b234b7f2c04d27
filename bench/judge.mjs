import { committed, seatrialIn } from './ground.mjs';
import { against } from './run.mjs';

export { row } from './run.mjs';

const FILES = 5;
const TESTS = 20;
const WAIT_MS = 100;
const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** Suites of ten seconds: a function with a bug, a test that shows it, and a hundred slow tests that pass. */
const SUITES = {
  pytest: {
    test: 'python3 -m pytest -q',
    source: ['adder.py', 'def add(a, b):\n    return a - b\n'],
    bug: ['test_bug.py', 'from adder import add\n\n\ndef test_bug():\n    assert add(1, 2) == 3\n'],
    slow: (file) => [
      `test_slow_${file}.py`,
      `import time\nfrom adder import add\n${numbers(TESTS)
        .map(
          (n) => `\n\ndef test_${file}_${n}():\n    time.sleep(${WAIT_MS / 1000})\n    assert add(${n}, 0) == ${n}\n`,
        )
        .join('')}`,
    ],
    others: {},
  },
  node: {
    test: 'node --test --test-concurrency=1',
    source: ['adder.js', 'export const add = (a, b) => a - b;\n'],
    bug: ['test/bug.test.js', `${nodeHead()}test('bug', () => assert.equal(add(1, 2), 3));\n`],
    slow: (file) => [
      `test/slow-${file}.test.js`,
      `${nodeHead()}const wait = () => new Promise((resolve) => setTimeout(resolve, ${WAIT_MS}));\n${numbers(TESTS)
        .map(
          (n) => `test('slow ${file} ${n}', async () => {\n  await wait();\n  assert.equal(add(${n}, 0), ${n});\n});\n`,
        )
        .join('')}`,
    ],
    others: { 'package.json': '{ "name": "adder", "type": "module" }\n' },
  },
};

function nodeHead() {
  return "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../adder.js';\n";
}

/** The warm-up round takes the base record, so that the rounds that count only judge. */
export const BENCHMARKS = {
  p: judging('pytest', 'pytest, 10 s, a change of code alone', '', 3),
  q: judging('pytest', 'pytest, 10 s, a change of a test too', 'echo >> test_slow_1.py; ', 4),
  n: judging('node', 'node:test, 10 s, a change of code alone', '', 3),
};

function judging(name, title, before, factor) {
  const { test, source, bug, slow, others } = SUITES[name];
  const [path, text] = source;
  const files = { ...others, ...Object.fromEntries([source, bug, ...numbers(FILES).map(slow)]) };
  return {
    title: `run --repo, ${title}, against the suite`,
    asked: `seatrial <= ${factor} x suite + 2000 ms`,
    rounds: 3,
    measure: (rounds) => {
      const fixed = committed(`${name}-fixed`, { ...files, [path]: text.replace('a - b', 'a + b') });
      const asked = ['run', '--repo', committed(name, files), '--ask', 'add', '--test', test, '--engine', 'command'];
      const ours = seatrialIn(`judge-${name}`, ...asked, '--command', `${before}sed -i 's/a - b/a + b/' ${path}`);
      return against(ours, { argv: ['sh', '-c', test], cwd: fixed, env: ours.env }, rounds);
    },
    within: ({ seatrial_ms: ours, peer_ms: suite }) => ours <= factor * suite + 2000,
  };
}
