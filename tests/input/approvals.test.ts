import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeEvents, EVENTS_FILE } from '../../src/evidence/log/events.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { Place, PROJECT, readReport, type Running } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

beforeAll(() => {
  place.task('delivers', { toml: '[seatrial]\ntest_command = "sh test.sh"\napprovals = ["deliver"]\n' });
});

function policy(text: string): string {
  const path = join(place.cwd, 'approvals.toml');
  writeFileSync(path, text);
  return path;
}

interface Asked extends Running {
  readonly runId: string;
}

/** A run that waits for an answer to approval-1. */
async function asking(within = 600): Promise<Asked> {
  const running = place.start(
    ['run', 'delivers', '--approvals', policy(`answer_within_sec = ${within}\n[[rules]]\nask = "deliver"\n`)],
    {},
  );
  let text = '';
  running.child.stderr?.on('data', (data: Buffer) => (text += data.toString()));
  await running.shows('seatrial deny');
  return { ...running, runId: /seatrial approve (\S+) approval-1/.exec(text)?.[1] ?? '' };
}

const answersOf = (runId: string): Report['approvals'] => readReport(join(place.runs, runId)).approvals;

describe('a run that waits for an answer', () => {
  it('goes on after `seatrial approve`, and records question, answer, who and how', async () => {
    const run = await asking();
    const shown = await place.seatrial(['runs', 'show', run.runId]);
    expect(shown.stdout).toContain('asks approval-1: deliver');
    const waiting = JSON.parse((await place.seatrial(['approvals', '--json'])).stdout);
    expect(waiting).toMatchObject([
      { run_id: run.runId, id: 'approval-1', action: 'deliver', kind: 'delivery', task: 'delivers', engine: 'fake' },
    ]);
    expect(Date.parse(waiting[0].answer_by) - Date.parse(waiting[0].asked_at)).toBeGreaterThan(500_000);
    const listed = await place.seatrial(['approvals']);
    expect(listed.stdout).toMatch(new RegExp(`in .*${run.runId}  fake  delivery  approval-1  deliver`));
    expect(listed.stdout).toContain(`seatrial deny ${run.runId} approval-1`);
    const approved = await place.seatrial(['approve', run.runId, 'approval-1']);
    expect([approved.code, approved.stdout, approved.stderr]).toEqual([0, 'approval-1: granted\n', '']);
    expect((await run.ended).code).toBe(0);
    expect((await place.seatrial(['approvals'])).stdout).toBe('nothing waits for an answer\n');
    expect(answersOf(run.runId)).toMatchObject([
      { id: 'approval-1', action: 'deliver', decision: 'granted', how: 'seatrial approve' },
    ]);
    const { entries } = decodeEvents(readFileSync(join(place.runs, run.runId, EVENTS_FILE)));
    expect(entries.map(({ type }) => type).filter((type) => type.startsWith('approval.'))).toEqual([
      'approval.requested',
      'approval.granted',
    ]);
    const verified = await place.seatrial(['verify', run.runId]);
    expect(verified.code).toBe(0);
  });

  it('ends blocked after `seatrial deny`; a second answer is told that the first counts', async () => {
    const run = await asking();
    const unknown = await place.seatrial(['deny', run.runId, 'approval-2']);
    expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining('it asks approval-1 (deliver)')]);
    const answers = await Promise.all([
      place.seatrial(['deny', run.runId, 'approval-1']),
      place.seatrial(['deny', run.runId, '--all']),
    ]);
    expect(answers.map(({ code }) => code).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 64]);
    expect((await run.ended).code).toBe(2);
    const late = await place.seatrial(['deny', run.runId, 'approval-1']);
    expect([late.code, late.stderr]).toEqual([64, expect.stringContaining('is over and left no question open')]);
    expect(readReport(join(place.runs, run.runId))).toMatchObject({
      failure_reason: 'approval denied: deliver',
      approvals: [{ decision: 'denied', how: 'seatrial deny' }],
    });
  });

  it('ends blocked when there is no answer in time', async () => {
    const run = await asking(1);
    expect((await run.ended).code).toBe(2);
    expect(answersOf(run.runId)).toMatchObject([{ decision: 'denied', how: 'not answered within 1 s' }]);
  });

  it('is interrupted by a signal, and says so', async () => {
    const run = await asking();
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(2);
    expect(answersOf(run.runId)).toMatchObject([{ decision: 'denied', how: 'the run ended first' }]);
  });

  it('asks on a terminal, where the first answer counts too', async () => {
    const [typed, elsewhere] = await Promise.all([onTerminal(['perhaps', 'y']), onTerminal([])]);
    expect(typed).toMatchObject({ code: 0, approvals: [{ decision: 'granted', how: 'terminal' }] });
    expect(elsewhere).toMatchObject({
      code: 0,
      approvals: [{ decision: 'granted', how: 'seatrial approve' }],
      screen: expect.stringMatching(/granted by \S+ \(seatrial approve\)/),
    });
  });
});

/** Types each line when it is asked for; none: answers from a second terminal. */
async function onTerminal(
  typed: readonly string[],
): Promise<{ code: number | null; approvals: Report['approvals']; screen: string }> {
  const line = `${process.execPath} ${join(PROJECT, 'dist/seatrial.js')} run delivers`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    cwd: place.cwd,
    env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: place.home, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let asked = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const runId = /seatrial approve (\S+) approval-1/.exec(screen)?.[1];
    if (runId === undefined || screen.split('[y/N]').length - 1 <= asked) return;
    asked += 1;
    if (typed.length === 0) void place.seatrial(['approve', runId, 'approval-1']);
    else child.stdin.write(`${typed[asked - 1] ?? typed.at(-1)}\n`);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const runId = /seatrial approve (\S+) approval-1/.exec(screen)?.[1];
  if (runId === undefined) throw new Error(`no question on the terminal:\n${screen}`);
  return { code, approvals: answersOf(runId), screen };
}

describe('a policy', () => {
  const verdict = async (text: string): Promise<readonly [number | null, Report['approvals']]> => {
    const { code, report } = await place.run('delivers', ['--approvals', policy(text)]);
    return [code, report.approvals];
  };

  it('decides without a person, and its line is on record', async () => {
    expect(await verdict('[[rules]]\ndeny = "other"\n\n[[rules]]\nallow = "deliver"\n')).toEqual([
      0,
      [expect.objectContaining({ decision: 'granted', by: 'approvals.toml line 4', how: 'policy' })],
    ]);
    expect((await verdict('[[rules]]\ndeny = "deliver"\n'))[0]).toBe(2);
  });

  it('that allows every tool of an agent grants nothing that a task asks for', async () => {
    expect(await verdict('[[rules]]\nallow = "*"\n')).toEqual([
      2,
      [expect.objectContaining({ decision: 'denied', how: 'unattended without policy' })],
    ]);
  });

  it('can be named in seatrial.toml', async () => {
    policy('[[rules]]\nallow = "deliver"\n');
    writeFileSync(join(place.cwd, 'seatrial.toml'), '[approvals]\npolicy = "approvals.toml"\n');
    try {
      expect((await place.run('delivers')).code).toBe(0);
    } finally {
      writeFileSync(join(place.cwd, 'seatrial.toml'), '');
    }
  });

  it.each([
    ['[[rules]]\nalow = "x"\n', 'approvals.toml line 2, column 1: unknown key rules.0.alow'],
    ['answer_within = 3\n', 'approvals.toml line 1, column 1: unknown key answer_within'],
    [
      '[[rules]]\nallow = "x"\ndeny = "x"\n',
      'line 1, column 3: rules.0: a rule needs exactly one of allow, deny and ask',
    ],
    ['[[rules]]\npath = "x"\n', 'line 1, column 3: rules.0: a rule needs exactly one of'],
    ['[[rules]\n', 'approvals.toml line 1, column'],
    ['answer_within_sec = 0\n', 'line 1, column 1: answer_within_sec must be at least 1'],
  ])('that is wrong is an error with its place: %j', async (text, fault) => {
    const ended = await place.seatrial(['run', 'delivers', '--approvals', policy(text)]);
    expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining(fault)]);
  });

  it('that does not exist is an error before anything runs', async () => {
    const ended = await place.seatrial(['run', 'delivers', '--approvals', 'none.toml']);
    expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining('none.toml is missing')]);
  });
});
