import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BENCH, FAMILY_TASKS, HARBOR } from '../support/family-tasks.ts';
import { decidedBy } from '../support/decided-by.ts';
import { Place, writeBelow } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

function lay(name: string, files: Readonly<Record<string, string>>): string {
  writeBelow(join(place.cwd, name), files);
  return name;
}

/** What a machine without one says, wherever this runs. */
const WITHOUT_BUILDER = { env: { SEATRIAL_IMAGE_BUILDER: 'none' } };

describe('a task in the layout of Harbor or Terminal-Bench', () => {
  it.each([
    ['harbor', HARBOR, 'python:3.13-slim'],
    ['bench', BENCH, 'ghcr.io/laude-institute/t-bench/python-3-13:20250620'],
  ])(
    '%s: its oracle passes by test id, the report says what stood in for the image, and it can be judged again',
    async (name, files, from) => {
      const { code, report } = await place.run(lay(name, files));
      expect({ code, status: report.status, reason: report.failure_reason }).toEqual({
        code: 0,
        status: 'pass',
        reason: null,
      });
      expect(report.tests.seen).toEqual([
        { id: 'test_outputs.py::test_two', outcome: 'passed' },
        { id: 'test_outputs.py::test_word', outcome: 'passed' },
      ]);
      expect(report.image).toMatchObject({ from, workdir: '/app' });
      const again = await place.seatrial(['verify', report.run_id, '--rerun']);
      expect(again.stdout).toContain('judged again: passed, 2 tests, as reported');
    },
  );

  it('is worked on by any engine, where its instruction says', async () => {
    const mend = ['--engine', 'command', '--command', 'sed -i "s/return x/return x + x/" /app/double.py'];
    const { report } = await place.run(lay('by-command', HARBOR), mend);
    expect(report).toMatchObject({ status: 'pass', changed_files: ['double.py'], baseline: { status: 'pass' } });
  });

  it.each([
    ['leaves the process at once', 'import os; os._exit(0)'],
    ['leaves when it is called', 'def double(x):\n    import os; os._exit(0)'],
    ['writes its own reward', 'open("/logs/verifier/reward.txt", "w").write("1"); import os; os._exit(0)'],
  ])('a solution that %s is not rewarded', async (_what, code) => {
    const write = ['--engine', 'command', '--command', `cat > double.py <<'END'\n${code}\nEND`];
    const { report } = await place.run(lay('forged', HARBOR), write);
    expect(report).toMatchObject({ status: 'fail', blocker_codes: decidedBy('tests_failed') });
  });

  it('keeps files that lie in several directories of its image apart, and its changes in one patch', async () => {
    const { report } = await place.run(
      lay('two-places', {
        ...HARBOR,
        'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nCOPY src/ ./\nCOPY rates.csv /data/\n',
        'environment/rates.csv': '2\n',
        'tests/test.sh': '#!/bin/bash\n[ "$(cat /data/out.csv)" = 4 ] && echo 1 > /logs/verifier/reward.txt\n',
        'solution/solve.sh': '#!/bin/bash\necho $(( $(cat /data/rates.csv) * 2 )) > /data/out.csv\n',
      }),
    );
    expect(report).toMatchObject({ status: 'pass', changed_files: ['data/out.csv'] });
  });

  it('stops a run for the reasons that its check gives', async () => {
    const blocked = await place.run(lay('nothing', FAMILY_TASKS['harbor-nothing']?.files ?? {}));
    expect(blocked).toMatchObject({ code: 2, report: { blocker_codes: decidedBy('task_proves_nothing') } });
    const image = await place.seatrial(
      ['run', lay('image', FAMILY_TASKS['harbor-boost']?.files ?? {})],
      WITHOUT_BUILDER,
    );
    expect(image).toMatchObject({ code: 2, stdout: '' });
    expect(image.stderr).toContain('needs an image: it installs libno-such-dev');
  });
});

describe('task check --all', () => {
  it('says in one sentence that there is no such directory', async () => {
    const { code, stdout, stderr } = await place.seatrial(['task', 'check', '--all', 'nowhere']);
    expect([code, stdout, stderr]).toEqual([
      64,
      '',
      'seatrial: nowhere is not a directory; --all takes a directory with tasks below it\n',
    ]);
  });

  it('says what every task is worth, in a table, as JSON, Markdown and HTML, and goes on where it was stopped', async () => {
    const root = join(place.cwd, 'set');
    for (const [name, { files }] of Object.entries(FAMILY_TASKS)) writeBelow(join(root, name), files);
    const first = await place.seatrial(['task', 'check', '--all', 'set', '--jobs', '2', '--json'], WITHOUT_BUILDER);
    expect(first.code).toBe(1);
    const { tasks } = JSON.parse(first.stdout) as { tasks: { task: string; soundness: string; why: string }[] };
    const found = Object.fromEntries(tasks.map(({ task, soundness, why }) => [task, { result: soundness, why }]));
    for (const [name, { result, why }] of Object.entries(FAMILY_TASKS))
      expect(found, name).toHaveProperty(name, { result, why: why === '' ? '' : expect.stringContaining(why) });
    const out = join(place.cwd, '.seatrial/task-check');
    for (const page of ['findings.md', 'findings.html'])
      expect(readFileSync(join(out, page), 'utf8')).toContain('the workspace holds the solution: .answer');

    const lines = readFileSync(join(out, 'findings.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"bench-proven"'));
    writeFileSync(join(out, 'findings.jsonl'), lines.join('\n'));
    appendFileSync(join(out, 'findings.jsonl'), '{"task":"harbor-pro');
    const again = await place.seatrial(['task', 'check', '--all', 'set', '--resume'], WITHOUT_BUILDER);
    expect(again.stdout).toMatch(/^proven +3$/m);
    expect(again.stdout).not.toContain('proves nothing:');
    const kept = readFileSync(join(out, 'findings.jsonl'), 'utf8');
    expect(kept.match(/"bench-proven"/g)).toHaveLength(1);
    expect(kept.match(/"harbor-proven"/g)).toHaveLength(1);
  });

  it('names a set in which no task shows anything', async () => {
    lay('empty/nothing', FAMILY_TASKS['harbor-nothing']?.files ?? {});
    const { code, stdout } = await place.seatrial(['task', 'check', '--all', 'empty'], WITHOUT_BUILDER);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'the set empty proves nothing: 1 of 1 tasks can be passed without any work, and none is proven\n',
    );
  });
});
