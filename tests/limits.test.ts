import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/evidence/schema/report.ts';
import { type CallOptions, Place } from './support/seatrial.ts';
import { someOf } from '../src/kernel/some-of.fixture.ts';

const MEMORY_LIMIT_KB = 300 * 1024;
const TIMEOUT_MS = 300_000;

/** What an engine may try to take the machine with, and what it is told. */
const FLOODS = [
  {
    name: 'a gigabyte of output',
    solve: 'echo yes > answer.txt; head -c 1073741824 /dev/zero',
    ends: { status: 'fail', failure_reason: 'fake went over its output limit' },
  },
  {
    name: '100,000 files',
    solve: 'echo yes > answer.txt; mkdir many; cd many; seq 100000 | xargs touch',
    ends: { status: 'blocked', failure_reason: expect.stringMatching(/^too many files: more than \d+$/) },
  },
  {
    name: 'a fork bomb',
    solve: 'echo yes > answer.txt; bomb() { bomb | bomb & }; (bomb) 2>/dev/null & exec sleep 600',
    ends: {
      status: 'fail',
      backend_completion: 'timed_out',
      failure_reason: 'fake lifecycle timeout after valid patch',
    },
  },
] as const;

const places: Place[] = [];
afterAll(() => places.forEach((place) => place.remove()));

function floodedPlace(): Place {
  const place = new Place();
  places.push(place);
  const toml = '[agent]\ntimeout_sec = 240\n[seatrial]\ntest_command = "sh test.sh"\n';
  for (const { name, solve } of FLOODS)
    place.task(nameOf(name), { solve, toml: name === 'a fork bomb' ? toml.replace('240', '2') : toml });
  return place;
}

const nameOf = (text: string): string => text.replaceAll(/\W+/g, '-');

/** Runs a task and watches how much memory the harness itself takes at most. */
async function runWatched(place: Place, task: string, options: CallOptions) {
  const running = place.start(['run', `./${task}`, '--json'], options);
  let mostKb = 0;
  const look = (): void => {
    mostKb = Math.max(mostKb, peakMemoryKb(running.child.pid ?? 0));
  };
  const timer = setInterval(look, 20);
  const ended = await running.ended;
  clearInterval(timer);
  return { ...ended, mostKb, report: JSON.parse(ended.stdout) as Report };
}

function peakMemoryKb(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has just ended
  }
}

const asRoot = process.getuid?.() === 0;

describe.each(asRoot ? (['root', 'a plain user'] as const) : (['a plain user'] as const))('as %s', (who) => {
  const place = floodedPlace();
  const options = asRoot && who === 'a plain user' ? { uid: place.giveToPlainUser() } : {};

  // What a flood does does not depend on who started it: a plain user sees some of them.
  it.each(who === 'root' || !asRoot ? FLOODS : someOf(FLOODS))(
    '$name ends by its limits, with a reason, and does not fill the harness',
    { timeout: TIMEOUT_MS },
    async ({ name, ends }) => {
      const { report, mostKb, stderr } = await runWatched(place, nameOf(name), options);
      expect(stderr).toBe('');
      expect(report).toMatchObject(ends);
      expect(mostKb).toBeGreaterThan(0);
      expect(mostKb).toBeLessThan(MEMORY_LIMIT_KB);
      const verified = await place.seatrial(['verify', report.run_dir], options);
      expect(verified.code, verified.stdout).toBe(0);
    },
  );
});

it('200 new files of a megabyte lie beside the patch, within the same memory', { timeout: TIMEOUT_MS }, async () => {
  const place = floodedPlace();
  const solve = 'echo yes > answer.txt; for n in $(seq 200); do head -c 1048576 /dev/urandom > "file-$n"; done';
  place.task('many-bytes', { solve });
  const { report, mostKb } = await runWatched(place, 'many-bytes', {});
  expect(report).toMatchObject({ status: 'pass', changed_files: { length: 201 } });
  expect(report.patch.bytes).toBeLessThan(32 * 1024 * 1024);
  expect(mostKb).toBeLessThan(MEMORY_LIMIT_KB);
  const verified = await place.seatrial(['verify', report.run_dir, '--rerun']);
  expect(verified.code, verified.stdout).toBe(0);
});
