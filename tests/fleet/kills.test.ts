import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWatchdogs } from '../../src/fleet/live/watchdogs.ts';
import { FleetPlace } from '../support/fleet-place.ts';

const TOML = 'session_prefix = "kc-"\nlog_dir = ".logs"\n[agents.one]\nkind = "service"\ncommand = "sleep 3600"\n';
let place: FleetPlace;
let before: string[];
const files = (): string[] => [
  join(place.boot, 'launch.py'),
  join(place.staged, 'agents.toml'),
  join(place.live, 'agents.toml'),
];
const bytes = (): string[] => files().map((file) => readFileSync(file, 'latin1'));
const watchdogs = (): string[] => findWatchdogs({ socket: place.socket, prefix: 'kc-' }).map(({ dir }) => dir);

beforeAll(async () => {
  place = new FleetPlace({ python: false, toml: TOML });
  place.startLive();
  expect((await place.call('import', place.live, place.staged, '--engine', 'none')).code).toBe(0);
  before = bytes();
});
afterAll(() => place.remove());

/** Starts a command and kills it as soon as a step is begun, or lets it end if it is over before. */
async function killedIn(step: string, ...args: readonly string[]): Promise<void> {
  const log = join(place.staged, '.ao-state/cutover/steps.jsonl');
  const size = existsSync(log) ? readFileSync(log).length : 0;
  const { child, ended } = place.start(args);
  const begun = (): boolean =>
    existsSync(log) && readFileSync(log, 'utf8').slice(size).includes(`"step":"${step}","state":"begun"`);
  while (child.exitCode === null && !begun()) await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill('SIGKILL');
  await ended;
}

async function succeeds(...args: readonly string[]): Promise<void> {
  const ended = await place.call(...args);
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
}

async function isBack(): Promise<void> {
  expect((await place.call('cutover', 'status', place.staged)).stdout).toMatch(/^not cut over$/m);
  expect(watchdogs()).toEqual([place.live]);
  expect(bytes()).toEqual(before);
}

/** Forward to the end, and then half of the way back. */
async function forwardAndHalfBack(): Promise<void> {
  await succeeds('cutover', 'run', place.staged);
  expect(watchdogs()).toEqual([place.staged]);
  await killedIn('state', 'cutover', 'rollback', place.staged);
}

test.each<[string, () => Promise<void>]>([
  ['hold', forwardAndHalfBack],
  ['stop-live', () => Promise.resolve()],
  ['config', forwardAndHalfBack],
  ['start', () => Promise.resolve()],
])(
  'killed in %s, status says where it stands, and both ways on work',
  { timeout: 240_000 },
  async (step, firstGoOn) => {
    await succeeds('cutover', 'plan', place.live, place.staged, '--unit', place.unit);
    await killedIn(step, 'cutover', 'run', place.staged);
    const { stdout } = await place.call('cutover', 'status', place.staged);
    expect(stdout).toMatch(/^(half cut over: stopped in|cut over)/);
    expect(stdout).toContain(`back: seatrial cutover rollback ${place.staged}`);
    await firstGoOn();
    await succeeds('cutover', 'rollback', place.staged);
    await isBack();
  },
);
