import { expect, it } from 'vitest';
import { notInspected } from '../bundle/artifacts.ts';
import type { NoTargetInspection } from '../schema/no-target.ts';
import { concludeReach, placesOfTargets, searchTexts, textsIn } from './target-reach.ts';

const TARGET: NoTargetInspection['targets'][number] = {
  path: '/srv/app',
  given_by: 'settings',
  shown_at: ['/srv/app', '/mnt/app'],
};
const SYSTEM = { source: '/usr', target: '/usr', mode: 'ro' } as const;

const inspected = (facts: Partial<NoTargetInspection>): NoTargetInspection => ({
  ...notInspected({ runId: 'run', nonce: 'nonce' }),
  targets: [TARGET],
  confinement: 'bubblewrap',
  scratch: '/tmp/run',
  shown: [SYSTEM, { source: '/tmp/run/workspace', target: '/workspace', mode: 'rw' }],
  probe: { passed: true, detail: '' },
  ...facts,
});

const tried = (path: string, result: string): NoTargetInspection['attempts'] => ({
  complete: true,
  calls: 1,
  paths: [{ call: 'openat', path, result, count: 1 }],
  connections: [],
  not_listed: { paths: 0, connections: 0 },
  unresolved: 0,
});

it('is not reachable if nothing names or shows it', () => {
  expect(concludeReach(inspected({}))).toBe('not reachable');
  expect(concludeReach(inspected({ attempts: tried('/srv/app/x', 'ENOENT') }))).toBe('not reachable');
});

it.each<[string, Partial<NoTargetInspection>, RegExp]>([
  ['around it', { shown: [{ source: '/srv', target: '/data', mode: 'ro' }] }, /shown at \/data\/app$/],
  ['behind another mount', { shown: [{ source: '/mnt', target: '/mnt', mode: 'ro' }] }, /shown at \/mnt\/app$/],
  ['inside it', { shown: [{ source: '/srv/app/x', target: '/x', mode: 'ro' }] }, /shown at \/x$/],
  ['of the system', { targets: [{ path: '/usr', given_by: 'settings', shown_at: ['/usr'] }] }, /shown at \/usr$/],
])('is reachable by a mount %s', (_name, facts, where) => {
  expect([concludeReach(inspected(facts)), placesOfTargets(inspected(facts))[0]]).toEqual([
    'reachable',
    expect.stringMatching(where),
  ]);
});

it('is not reachable behind a mask, which may be opened and holds nothing', () => {
  const masked = { shown: [{ source: '/srv', target: '/srv', mode: 'ro' } as const], masked: ['/srv/app'] };
  expect(concludeReach(inspected(masked))).toBe('not reachable');
  expect(concludeReach(inspected({ ...masked, attempts: tried('/srv/app', 'ok') }))).toBe('not reachable');
});

it('is reachable if the trace shows an access that succeeded', () => {
  expect(concludeReach(inspected({ attempts: tried('/srv/app/letter', 'ok') }))).toBe('reachable');
});

it('is reachable without confinement, and after a probe that failed', () => {
  expect(concludeReach(inspected({ confinement: 'none' }))).toBe('reachable');
  expect(concludeReach(inspected({ probe: { passed: false, detail: '' } }))).toBe('reachable');
});

it('may be around the scratch directory, which holds copies', () => {
  const around = inspected({ targets: [{ path: '/tmp', given_by: 'settings', shown_at: ['/tmp'] }] });
  expect(concludeReach(around)).toBe('not reachable');
});

it.each(['Look at /srv/app.', 'cd "/srv/app/src"', 'file:///srv/app', '{"a":["/srv//./app"]}', 'PATH=/bin:/mnt/app'])(
  'is found in a text: %s',
  (text) => {
    expect(searchTexts({ text: textsIn({ text }) }, [TARGET])[0]?.matches).toEqual(['/srv/app']);
  },
);

it.each(['/srv/application', '/srv/app-old', '/srv/app.bak', '/data/srv/app'])('is not found in %s', (text) => {
  expect(searchTexts({ text: [text] }, [TARGET])[0]?.matches).toEqual([]);
});
