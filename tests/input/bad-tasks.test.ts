import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ended, Place, type TaskParts } from '../support/seatrial.ts';
import { usageError } from '../support/one-sentence.ts';
import { decidedBy } from '../support/decided-by.ts';

const place = new Place();
afterAll(() => place.remove());

/** Runs a task that was spoilt in some way. */
function runSpoilt(name: string, parts: TaskParts, spoil: (dir: string) => void = () => {}): Promise<Ended> {
  spoil(place.task(name, parts));
  return place.seatrial(['run', name]);
}

describe('a task that cannot be read', () => {
  it('has line and column for invalid TOML', async () => {
    const ended = await runSpoilt('toml', { toml: 'version = "1.0"\n[seatrial]\ntest_command = sh test.sh\n' });
    expect(usageError(ended)).toContain('task.toml line 3, column 16: ');
  });

  it('has every fault named in one pass', async () => {
    const toml = `name = "x"
[agent]
timeout = 5
timeout_sec = -1
[seatrial]
test_comand = "sh test.sh"
alowed_files = []
risk_class = "extreme"
must_commit = "yes"
`;
    const ended = await runSpoilt('faults', { toml, files: {} }, (dir) => {
      rmSync(join(dir, 'instruction.md'));
      symlinkSync('/etc/passwd', join(dir, 'environment/files/passwd'));
      symlinkSync('../../..', join(dir, 'tests/up'));
      spawnSync('mkfifo', [join(dir, 'environment/files/pipe')]);
      mkdirSync(join(dir, 'environment/files/sub/.git'), { recursive: true });
    });
    for (const fault of [
      'unknown key name',
      'unknown key agent.timeout',
      'unknown key seatrial.test_comand, seatrial.alowed_files',
      'agent.timeout_sec must be more than 0',
      'seatrial.risk_class must be one of low, medium, high',
      'seatrial.must_commit must be true or false',
      'instruction.md is missing',
      'environment/files: link out of the tree: passwd -> /etc/passwd',
      'tests: link out of the tree: up -> ../../..',
      'environment/files: pipe: pipe',
      'environment/files: nested repository: sub/.git',
    ]) {
      expect(usageError(ended)).toContain(fault);
    }
  });

  it('says what is missing, empty or of the wrong kind', async () => {
    const without = (part: string) => (dir: string) => rmSync(join(dir, part), { recursive: true });
    const bytes = Buffer.from([0xff, 0xfe, 0x41]);
    const cases: readonly (readonly [string, (dir: string) => void, string])[] = [
      ['no-files', without('environment'), 'environment/files is missing: it becomes the workspace'],
      ['no-oracle', without('solution'), 'no-oracle has no oracle (solution/solve.sh)'],
      ['no-instruction', without('instruction.md'), 'instruction.md is missing'],
      ['blank', (dir) => writeFileSync(join(dir, 'instruction.md'), ' \n'), 'instruction.md is empty'],
      ['not-text', (dir) => writeFileSync(join(dir, 'instruction.md'), bytes), 'instruction.md is not UTF-8 text'],
      ['toml-bytes', (dir) => writeFileSync(join(dir, 'task.toml'), bytes), 'task.toml is not UTF-8 text'],
      [
        'toml-folder',
        (dir) => {
          rmSync(join(dir, 'task.toml'));
          mkdirSync(join(dir, 'task.toml'));
        },
        'task.toml is a directory, not a file',
      ],
    ];
    for (const [name, spoil, saying] of cases) expect(usageError(await runSpoilt(name, {}, spoil))).toContain(saying);
  });

  it('may not have parts that are links out of its directory', async () => {
    const elsewhere = place.task('elsewhere');
    for (const part of ['task.toml', 'instruction.md', 'environment', 'tests', 'solution']) {
      const ended = await runSpoilt(`linked-${part}`, {}, (dir) => {
        rmSync(join(dir, part), { recursive: true });
        symlinkSync(join(elsewhere, part), join(dir, part));
      });
      expect(usageError(ended)).toContain(`${part} is a link out of the task directory`);
    }
  });

  it('lists no more faults than a person reads', async () => {
    const ended = await runSpoilt('links', {}, (dir) => {
      for (let n = 0; n < 500; n += 1) symlinkSync('/etc', join(dir, `environment/files/link-${n}`));
    });
    expect(usageError(ended)).toContain('; and 480 more');
    expect(ended.stderr.length).toBeLessThan(2500);
  });

  it('leaves no run behind', () => {
    expect(place.runDirs()).toEqual([]);
  });
});

describe('a task that cannot be judged', () => {
  it.each([
    ['no-such-runner', ['not installed: no-such-runner']],
    ['no-such-runner --flag test.sh', ['not installed: no-such-runner']],
    ['sh missing.sh', ['missing test command', 'no such script: sh missing.sh']],
    ['./missing.sh', ['missing test command', 'no such script: ./missing.sh']],
  ])('%s: blocked, exit 2, with a sealed report', async (command, reasons) => {
    place.task('unjudged', { toml: `[seatrial]\ntest_command = "${command}"\n` });
    const { code, report, stderr } = await place.run('unjudged');
    expect([code, report.status, report.failure_reason, stderr]).toEqual([2, 'blocked', reasons[0], '']);
    expect(report.blockers).toEqual(reasons);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'pytest that is not installed: blocked, and said so (hidden by a mount: needs root)',
    async () => {
      place.task('pytest', { toml: '[seatrial]\ntest_command = "python3 -m pytest -q"\n' });
      const PATH = '/usr/bin:/bin';
      const find = 'import os, pytest; print(os.path.dirname(pytest.__file__))';
      const installed = spawnSync('python3', ['-c', find], { encoding: 'utf8', env: { PATH } }).stdout.trim();
      const through = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none "$0" && exec "$@"', installed];
      const { code, report } = await place.run('pytest', [], { through, env: { PATH } });
      expect([code, report.status]).toEqual([2, 'blocked']);
      expect(report.blockers).toEqual(['not installed: python3 with pytest']);
    },
  );

  it('no test command, or tests that test nothing', async () => {
    place.task('untested', { toml: '' });
    expect((await place.run('untested')).report).toMatchObject({
      status: 'blocked',
      blocker_codes: decidedBy('missing_test_command'),
    });
    place.task('silent', {
      tests: { 'test.sh': 'exit 0\n' },
      toml: '[seatrial]\ntest_command = "sh test.sh"\nexpected_tests = ["answer"]\n',
    });
    const silent = await place.run('silent');
    expect([silent.code, silent.report.failure_reason]).toEqual([1, 'expected tests not reported: 1']);
    place.task('wrong-setup', { toml: '[seatrial]\ntest_command = "sh test.sh"\nsetup_command = "exit 7"\n' });
    const setup = await place.run('wrong-setup');
    expect([setup.code, setup.report.failure_reason]).toEqual([2, 'setup command failed with exit code 7']);
  });

  it('leaves bundles that verify', async () => {
    const { code, stdout } = await place.seatrial(['verify', '--all']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`${place.runDirs().length} runs verified`);
  });
});
