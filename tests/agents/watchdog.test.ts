import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { refOf } from '../../src/confine/processes/process-life.ts';
import { AgentsPlace } from '../support/agents-place.ts';

const TOML = `session_prefix = "t-"
[defaults]
backend = "demo"
[agents.helper]
kind = "persistent"
prompt = "Wait."
[agents.chore]
kind = "task"
backend = "command"
command = "sleep 0.2"
[agents.spare]
kind = "persistent"
prompt = "Wait."
enabled = false
`;

const SOON = { timeout: 60_000, interval: 200 };
const places: AgentsPlace[] = [];
function open(toml = TOML): AgentsPlace {
  const place = new AgentsPlace(toml);
  places.push(place);
  return place;
}
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

const started = (place: AgentsPlace, agent: string) =>
  place.facts('agent.started').filter((fact) => fact.agent === agent);

/** Started, watched, and its kickoff taken. */
async function upAndTaken(place: AgentsPlace): Promise<void> {
  const up = await place.call('up');
  expect(up.code, up.stderr).toBe(0);
  await expect.poll(() => place.facts('kickoff.delivered').filter(({ taken }) => taken).length, SOON).toBe(1);
}

describe('the watchdog', () => {
  test('starts what was killed again, with its kickoff, and why says so', async () => {
    const place = open();
    await upAndTaken(place);
    process.kill(place.panePid('t-helper'), 'SIGKILL');
    await expect.poll(() => started(place, 'helper').length, SOON).toBe(2);
    await expect.poll(() => place.facts('kickoff.delivered').filter(({ taken }) => taken).length, SOON).toBe(2);
    expect(started(place, 'helper')[1]).toMatchObject({ why: 'heal: crashed', resumed: true });
    expect((await place.call('why', 'helper')).stdout).toMatch(
      /^helper: RUNNING since .*\n.*lives, process \d+\n.*heal: crashed/,
    );
  });

  test('backs off when it crashes again, and shows it', async () => {
    const place = open(TOML.replace('prompt = "Wait."', 'prompt = "Wait."\nargs = ["--at-start", "/exit 3"]'));
    expect((await place.call('up')).code).toBe(0);
    await expect.poll(async () => (await place.call('status')).stdout, SOON).toMatch(/^helper .* backing off \ds$/m);
    expect(place.facts('agent.died')[0]).toMatchObject({ how: 'exited', code: 3 });
    await expect.poll(() => place.facts('agent.started').length, SOON).toBeGreaterThanOrEqual(3);
  });

  test('leaves alone what a person stopped, and a disabled agent that a person started', async () => {
    const place = open();
    await upAndTaken(place);
    expect((await place.call('up', 'spare')).stdout).toContain('started: spare');
    expect((await place.call('down', 'helper')).stdout).toBe('stopped: helper\n');
    process.kill(place.panePid('t-spare'), 'SIGKILL');
    await expect.poll(() => place.facts('agent.died').map(({ agent }) => agent), SOON).toEqual(['spare']);
    const { stdout } = await place.call('status');
    expect(stdout).toMatch(/^helper .* stopped$/m);
    expect(stdout).toMatch(/^spare .* stopped \(disabled\)$/m);
    expect(started(place, 'spare')).toHaveLength(1);
  });

  test('is one for a prefix: a second does not start', async () => {
    const place = open();
    await upAndTaken(place);
    const second = await place.call('watchdog');
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another watchdog holds') });
    expect(place.facts('watchdog.started')).toHaveLength(1);
  });

  test('that hangs is shown as stalled, and up shuts it out and replaces it', async () => {
    const place = open();
    await upAndTaken(place);
    const pid = place.facts('watchdog.started')[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const dir = `${place.env.XDG_RUNTIME_DIR}/seatrial`;
    for (const name of readdirSync(dir)) utimesSync(`${dir}/${name}`, 0, 0);
    expect((await place.call('status')).stdout).toMatch(/^watchdog .* stalled$/m);
    expect((await place.call('up')).stdout).toContain('watchdog: replaced');
    expect(refOf(pid)).toBeNull();
    await expect.poll(() => place.facts('watchdog.started').at(-1)?.fence, SOON).toBeGreaterThan(1);
  });

  test('comes back when it is killed, with a higher fence', async () => {
    const place = open();
    await upAndTaken(place);
    process.kill(place.facts('watchdog.started')[0]?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => place.facts('watchdog.started').at(-1)?.fence, SOON).toBeGreaterThan(1);
    process.kill(place.panePid('t-helper'), 'SIGKILL');
    await expect.poll(() => started(place, 'helper').length, SOON).toBe(2);
  });

  test('asks for a person at a login, tells it by notify, and types nothing', async () => {
    const place = open(`notify = "cat >>told.jsonl"\n${TOML}`);
    await upAndTaken(place);
    expect((await place.call('send', 'helper', '/login')).stdout).toBe('taken: demo: please sign in\n');
    await expect.poll(async () => (await place.call('status')).stdout, SOON).toMatch(/^helper .* needs you: login$/m);
    const typed = await place.call('send', 'helper', 'hello');
    expect(typed).toMatchObject({ code: 2, stderr: expect.stringContaining('login dialog') });
    await expect.poll(() => place.facts('notify.sent').map(({ ok }) => ok), SOON).toEqual([true]);
    expect(JSON.parse(readFileSync(`${place.project}/told.jsonl`, 'utf8'))).toMatchObject({
      event: 'needs you',
      agent: 'helper',
      text: 'helper needs you: login',
    });
    expect(readFileSync(`${place.project}/.ao-state/logs/watchdog.log`, 'utf8')).toContain('helper: note-needs');
  });

  test('waits for a usage limit and then goes on with the conversation', async () => {
    const place = open();
    await upAndTaken(place);
    await place.call('send', 'helper', '/limit 6');
    await expect
      .poll(async () => (await place.call('status')).stdout, SOON)
      .toMatch(/^helper .* waiting for limit until /m);
    await expect.poll(() => started(place, 'helper').length, SOON).toBe(2);
    expect(started(place, 'helper')[1]).toMatchObject({ why: 'limit over', resumed: true });
    expect(started(place, 'helper')[1]?.conversation).toBe(started(place, 'helper')[0]?.conversation);
  });

  test('lets a task run once', async () => {
    const place = open();
    await upAndTaken(place);
    await place.call('up', 'chore');
    await expect.poll(async () => (await place.call('status')).stdout, SOON).toMatch(/^chore .* done$/m);
    expect(started(place, 'chore')).toHaveLength(1);
  });
});

test('a copy of a project can neither start, stop nor type into the live one', async () => {
  const live = open();
  await upAndTaken(live);
  const copy = new AgentsPlace(TOML);
  places.push(copy);
  const env = { ...live.env };
  const call = (...args: readonly string[]) => copy.place.seatrial(args, { cwd: copy.project, env });
  const up = await call('up');
  expect(up).toMatchObject({ code: 2, stderr: expect.stringContaining('of another project') });
  expect((await call('down')).stdout).toContain('left alone: session t-helper belongs to another project');
  expect((await call('send', 'helper', '/crash')).code).toBe(2);
  expect((await call('status')).stdout).toMatch(/^helper .* RUNNING$/m);
  expect((await call('why', 'helper')).stdout).toContain('belongs to another project');
  expect((await live.call('status')).stdout).toMatch(/^helper .* RUNNING$/m);
  expect(readFileSync(`${live.project}/.ao-state/state/journal.jsonl`, 'utf8')).not.toContain('agent.died');
});

test('down stops everything of the project, and up starts it again', async () => {
  const place = open();
  await upAndTaken(place);
  expect((await place.call('down')).stdout).toBe('stopped: watchdog, helper\n');
  expect((await place.call('status')).stdout).toMatch(/^helper .* stopped\n(.*\n)*watchdog .* stopped$/m);
  expect((await place.call('down')).stdout).toBe('nothing of this project was running\n');
  expect((await place.call('up')).stdout).toContain('started: helper');
});
