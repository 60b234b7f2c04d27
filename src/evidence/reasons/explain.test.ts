import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explainReason } from './explain.ts';

const UNKNOWN = explainReason('some reason that nobody ever wrote');

it.each([
  'no diff produced',
  'disallowed file changed: a.py',
  'dirty ending tree',
  'claimed commit not found',
  'secret in patch: config.py',
  'nested repository: vendor/x',
  'fake engine failed with exit code 124',
  'case engine failed with exit code null',
  'case lifecycle timeout after valid patch',
  'provider unavailable: HTTP 500',
  'provider unavailable: the answer was cut off',
  'provider unavailable: the answer cannot be read',
  'provider unavailable: no answer in time',
  'provider unavailable: no answer',
  'provider unavailable: the answer was empty',
  'provider unavailable: the connection failed',
  'the gateway ended: it was killed by SIGKILL',
  'socat is not installed, and no model can be reached without it: apt install socat',
  'replay does not fit: request 1 asked for scripted at /v1/chat/completions',
  'setup command failed with exit code 1',
  'artifact write failed: test.log',
  'the code under test ended before the tests did',
  'the test runner exited with code 3',
  'tests failed',
  'tests newly failing: 3',
  'tests no longer reported: 3',
  'tests do not run on the base',
  'tests timed out',
  'tests went over the limit: disk',
  'tests were killed',
  'test channel tampered: two ends',
  'the tests could not be started: no room',
  'the code under test could not be started: no room',
  'not installed: pytest',
  'it comes with the patch; what runs the tests has to come from the base, the setup or this machine',
  'left out of the tree, because only the patch brings it: node_modules/chai',
  'run interrupted',
  'internal error in step diff: no such thing',
])('explains in plain words: %s', (reason) => {
  expect(explainReason(reason)).not.toBe(UNKNOWN);
});

const SOURCES = new URL('../../', import.meta.url);

/** Reasons stand in the source as literals, where a run is failed, blocked or cut, or a check refuses. */
const GIVEN =
  /(?:\b(?:run|this)\.(?:fail|block)\(|\bcut\(|\breason: |\bfaults\.push\(|\brefuseRequest\('(?:model|host|budget)', \d+, )\s*(['`])((?:(?!\1).)+)\1/g;

function reasonsGiven(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /^(?:admission|confine|engines|gateway|run)\/.*\.ts$/.test(name) && !/\.(?:test|fixture)\.ts$/.test(name),
  );
  const given = files.flatMap((name) =>
    [...readFileSync(new URL(name, SOURCES), 'utf8').matchAll(GIVEN)].map((match) => match[2] ?? ''),
  );
  return [...new Set(given)].map((text) => text.replace(/\$\{[^}]*\}/g, '7')).toSorted();
}

it('leaves no reason that the product can give without an explanation', () => {
  const given = reasonsGiven();
  expect(given).toEqual(
    expect.arrayContaining(['stage not set', 'model not admitted: 7', 'baseline did not pass', 'no tests ran']),
  );
  expect(given.filter((reason) => explainReason(reason) === UNKNOWN)).toEqual([]);
});

it('tells a time limit from any other failure of the engine', () => {
  expect(explainReason('fake engine failed with exit code 124')).toContain('time limit');
  expect(explainReason('fake engine failed with exit code 12')).not.toContain('time limit');
});

it('tells a model that nobody admitted from an engine that asked for another one', () => {
  expect(explainReason('model not admitted')).toContain('seatrial admissions');
  expect(explainReason('model not admitted: gpt-x')).toContain('no silent default');
});

it('tells a key that the provider refuses from a provider that is down', () => {
  expect(explainReason('provider unavailable: HTTP 401')).toContain('key');
  expect(explainReason('provider unavailable: HTTP 503')).not.toContain('key');
});
