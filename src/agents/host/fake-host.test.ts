import { expect, test } from 'vitest';
import { hostConformance } from './conformance.fixture.ts';
import { FakeHost } from './fake-host.fixture.ts';

hostConformance(() => ({
  host: new FakeHost(),
  program: (what, argument) => (argument === undefined ? [what] : [what, argument]),
}));

test('a server that does not answer is unknown, never absent', async () => {
  const host = new FakeHost();
  host.unreachable = 'no answer';
  expect(await host.list()).toEqual({ kind: 'unknown', why: 'no answer' });
});
