import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetPlace } from '../support/fleet-place.ts';
import { changesOf } from '../support/traced-writes.ts';

const TOML = 'session_prefix = "rw-"\nlog_dir = ".logs"\n[agents.one]\nkind = "service"\ncommand = "sleep 3600"\n';
let place: FleetPlace;
const fingerprint = (): string => join(place.place.root, 'fingerprint.json');

beforeAll(async () => {
  place = new FleetPlace({ python: false, toml: TOML });
  place.startLive();
  await place.call('import', place.live, place.staged, '--engine', 'none');
  await place.call('cutover', 'plan', place.live, place.staged, '--unit', place.unit);
  await place.call('fingerprint', 'take', place.live, '-o', fingerprint());
  writeFileSync(
    join(place.place.cwd, 'fleet.toml'),
    '[[projects]]\nname = "a"\npath = "live"\n[[projects]]\nname = "b"\npath = "staged"\nenabled = false\n',
  );
});
afterAll(() => place.remove());

test.each<[string, () => string[]]>([
  ['fleet check', () => ['fleet', 'check']],
  ['fleet status', () => ['fleet', 'status']],
  ['parity', () => ['parity', place.live, place.staged]],
  ['fingerprint check', () => ['fingerprint', 'check', fingerprint()]],
  ['cutover status', () => ['cutover', 'status', place.staged]],
])('%s writes nothing', async (_name, args) => {
  const trace = join(place.place.root, 'trace');
  expect(await changesOf(trace, (through) => place.start(args(), through).ended)).toEqual([]);
});
