import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decidedBy } from '../support/decided-by.ts';
import { Place } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());
beforeAll(() => {
  place.task('answer', { toml: '[seatrial]\ntest_command = "sh test.sh"\n' });
});

const REJECTS = {
  verdict: 'reject',
  summary: 'Not enough.',
  findings: [
    { file: 'patched/answer.txt', line: 1, message: 'Say please.' },
    { file: 'other.txt', message: 'Is missing.' },
  ],
};
const print = (answer: unknown): string => `printf %s '${JSON.stringify(answer)}'`;

const IMPLEMENTER = ['--engine', 'command', '--command', 'echo yes > answer.txt; echo canary-words-of-the-author'];
const reviewed = (command: string, ...args: readonly string[]) =>
  place.run('answer', [...IMPLEMENTER, '--review', command, ...args]);

describe('a structured answer of a review command', () => {
  it.each(['', '; exit 1'])('rejects with findings by file and line%s', async (end) => {
    const { report } = await reviewed(print(REJECTS) + end);
    expect(report.review).toEqual({
      verdict: 'rejected',
      by: 'command',
      comment: 'Not enough.',
      findings: [
        { file: 'answer.txt', line: 1, message: 'Say please.' },
        { file: 'other.txt', line: null, message: 'Is missing.' },
      ],
    });
    expect(report.blocker_codes).toEqual(decidedBy('reviewer_rejected'));
  });

  it('accepts, with remarks', async () => {
    const remark = { file: 'answer.txt', line: 1, message: 'Could be shorter.' };
    const { report } = await reviewed(print({ verdict: 'pass', findings: [remark] }));
    expect(report).toMatchObject({ status: 'pass', review: { verdict: 'accepted', findings: [remark] } });
  });

  it('does not make up for failing tests', async () => {
    const wrong = ['--engine', 'command', '--command', 'echo maybe > answer.txt'];
    const { report } = await place.run('answer', [...wrong, '--review', print({ verdict: 'pass' })]);
    expect([report.status, report.review?.verdict]).toEqual(['fail', 'accepted']);
  });

  it.each([
    ['that says pass and exits with 1', `${print({ verdict: 'pass' })}; exit 1`],
    ['with an unknown verdict', print({ verdict: 'probably' })],
    ['that rejects without a word', print({ verdict: 'reject' })],
    ['with a line that is no number', print({ verdict: 'pass', findings: [{ file: 'a', line: 'x', message: 'm' }] })],
  ])('%s is no review', async (_what, command) => {
    const { report } = await reviewed(command);
    expect([report.status, report.review?.verdict]).toEqual(['blocked', 'unavailable']);
  });
});

describe('a review by an engine', () => {
  const byEngine = (command: string) => reviewed(command, '--review-engine', 'command');

  it('happens in a run of its own, and its rejection fails the change', async () => {
    const { report } = await byEngine(`${print(REJECTS)} > review.json`);
    expect(report.blocker_codes).toEqual(decidedBy('reviewer_rejected'));
    expect(report.review).toMatchObject({
      verdict: 'rejected',
      by: 'command',
      findings: [{ file: 'answer.txt', line: 1 }, {}],
    });
    const review = join(place.runs, report.review?.run_id ?? '');
    expect(JSON.parse(readFileSync(join(review, 'report.json'), 'utf8'))).toMatchObject({ status: 'pass' });
    for (const run of [review, report.run_dir]) {
      const { code, stdout } = await place.seatrial(['verify', run]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('verified')]);
    }
    const html = readFileSync(join(report.run_dir, 'report.html'), 'utf8');
    expect(html).toContain('answer.txt:1');
    expect(html).toContain('Say please.');
  });

  it('shows the change, and nothing that the implementer said or where it is kept', async () => {
    const look = [
      'cat > /dev/null',
      `grep -qE ': "command"|previous attempt|"attempt"' *.json *.md && echo named`,
      'grep -q "^+yes" patch.diff && grep -q yes patched/answer.txt && grep -q no base/answer.txt && echo shown',
      'for d in /*; do case $d in /usr|/lib*|/bin|/sbin|/proc|/sys) ;; *) grep -rqs canary-words $d && echo overheard ;; esac; done',
      'grep -q "answer.txt; echo" contract.json instruction.md && echo named',
      `${print({ verdict: 'pass' })} > review.json`,
    ];
    // The second attempt passes; what the first one was and said is as much the implementer's own.
    const work = `if grep -q 'previous attempt'; then echo yes > answer.txt; else echo maybe > answer.txt; fi; echo canary-words-of-the-author`;
    const { report } = await place.run('answer', [
      '--engine',
      'command',
      '--command',
      work,
      '--retry',
      '1',
      '--review',
      look.join('; '),
      '--review-engine',
      'command',
    ]);
    expect(report).toMatchObject({ status: 'pass', attempt: 2, review: { verdict: 'accepted' } });
    const log = readFileSync(join(place.runs, report.review?.run_id ?? '', 'backend/stdout.log'), 'utf8');
    expect(log.trim()).toBe('shown');
  });

  it.each([
    ['writes nothing', 'true'],
    ['fails', `${print({ verdict: 'pass' })} > review.json; exit 3`],
    ['writes no JSON', 'echo LGTM > review.json'],
    ['leaves a link', `${print({ verdict: 'pass' })} > a; ln -s a review.json`],
  ])('that %s is no review', async (_what, command) => {
    const { report } = await byEngine(command);
    expect([report.status, report.review?.verdict]).toEqual(['blocked', 'unavailable']);
    expect(report.review?.comment).not.toBe('');
  });

  it('is named by a repository too', async () => {
    const repo = join(place.cwd, 'repo');
    mkdirSync(join(repo, '.seatrial'), { recursive: true });
    writeFileSync(join(repo, 'answer.txt'), 'no\n');
    writeFileSync(join(repo, 'test.sh'), 'grep -q yes answer.txt\n');
    writeFileSync(
      join(repo, '.seatrial/task.toml'),
      `[seatrial]
test_command = "sh test.sh"
accept = "exit_code"
review_engine = "command"
review = '''${print(REJECTS)} > review.json'''
`,
    );
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x'],
    ])
      execFileSync('git', args, { cwd: repo });
    const { stdout } = await place.seatrial(['run', '--repo', repo, '--ask', 'say yes', '--json', ...IMPLEMENTER]);
    expect(JSON.parse(stdout)).toMatchObject({ review: { verdict: 'rejected', run_id: expect.any(String) } });
  });
});

describe('wrong flags', () => {
  it.each([
    [['--review-model', 'a/b'], '--review-model requires --review-engine'],
    [['--review-engine', 'fake'], 'fake only runs oracles'],
    [['--review-engine', 'command'], 'needs a shell line'],
    [['--review-engine', 'claude', '--review', 'true'], 'not both'],
    [['--review-engine', 'nobody'], 'unknown engine "nobody"'],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await place.seatrial(['run', 'answer', ...args]);
    expect([code, stderr]).toEqual([64, expect.stringContaining(sentence)]);
  });
});
