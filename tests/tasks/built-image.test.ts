import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSmallRoot } from '../../src/confine/small-root.fixture.ts';
import { Place, writeBelow } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

const IMAGE = join(place.cwd, 'image');
const BIN = join(place.cwd, 'bin');
const ENV = { PATH: `${BIN}:/usr/bin:/bin`, SEATRIAL_IMAGE_BUILDER: 'buildah' };

const CONFIG = { OCIv1: { config: { Env: ['PATH=/usr/bin:/bin', 'GREETING=hello'], WorkingDir: '/app' } } };

/** Answers as buildah does, with an image that was made before. */
const BUILDER = `#!/bin/sh
echo "$1" >> ${place.cwd}/builder.log
case $1 in
--version) echo 'buildah version 9.9.9' ;;
build) for word; do case $word in type=tar,dest=*) tar -C ${IMAGE} -cf "\${word#type=tar,dest=}" . ;; esac; done ;;
inspect) echo '${JSON.stringify(CONFIG)}' ;;
esac
`;

const TASK = {
  'task.toml': 'version = "1.0"\n',
  'instruction.md': 'Double the number in /app/n.txt.\n',
  'environment/Dockerfile': 'FROM registry.example/base:1\nWORKDIR /app\nRUN make everything\n',
  'tests/test.sh':
    '#!/bin/sh\n[ "$GREETING" = hello ] && [ "$(cat n.txt)" = 2 ] && echo 1 > /logs/verifier/reward.txt\n',
  'solution/solve.sh': '#!/bin/sh\necho 2 > /app/n.txt\n',
};

function layBuilder(script: string): void {
  writeBelow(BIN, { buildah: script });
  chmodSync(join(BIN, 'buildah'), 0o755);
}

describe('a task whose image is built', () => {
  it('runs in the files of the image, which is built once, under the usual sandbox; and can be judged again', async () => {
    makeSmallRoot(IMAGE, ['sh', 'cat', 'grep', 'ls']);
    writeBelow(IMAGE, { 'app/n.txt': '1\n' });
    layBuilder(BUILDER);
    writeBelow(join(place.cwd, 'task'), TASK);
    const { code, report } = await place.run('task', [], { env: ENV });
    expect({ code, reason: report.failure_reason, changed: report.changed_files }).toEqual({
      code: 0,
      reason: null,
      changed: ['n.txt'],
    });
    expect(report.image).toMatchObject({
      from: 'registry.example/base:1',
      workdir: '/app',
      built: { builder: 'buildah 9.9.9' },
    });
    const look = ['--engine', 'command', '--command', 'ls /usr/bin; echo 2 > n.txt; ! echo x > /usr/x'];
    const second = await place.run('task', look, { env: ENV });
    expect(second.report.status).toBe('pass');
    expect(readFileSync(join(second.report.run_dir, 'backend/stdout.log'), 'utf8')).toBe('cat\ngrep\nls\nsh\n');
    expect(readFileSync(join(place.cwd, 'builder.log'), 'utf8').match(/^build$/gm)).toHaveLength(1);
    const again = await place.seatrial(['verify', report.run_id, '--rerun'], { env: ENV });
    expect(again.stdout).toContain('judged again: passed, 0 tests, as reported');

    const elsewhere = { ...ENV, XDG_CACHE_HOME: join(place.cwd, 'another-cache') };
    const without = await place.seatrial(['verify', report.run_id, '--rerun'], { env: elsewhere });
    expect([without.code, without.stdout]).toEqual([
      2,
      expect.stringMatching(
        /^\? {4}rerun +could not be tried here: needs an image: .* are not on this machine; run the task here once .*\n\nverified: .* is a pass$/m,
      ),
    ]);
  });

  it('is blocked with the words of a builder that fails, and with the command that installs one where there is none', async () => {
    layBuilder(`#!/bin/sh\n[ "$1" = --version ] || { echo 'Error: no such registry' >&2; exit 125; }\n`);
    writeBelow(join(place.cwd, 'other'), { ...TASK, 'instruction.md': 'Other.\n', 'environment/x': '' });
    const failed = await place.seatrial(['run', 'other'], { env: ENV });
    expect([failed.code, failed.stderr]).toEqual([
      2,
      'seatrial: needs an image: nothing here stands in for its base image registry.example/base:1; buildah could not build it: Error: no such registry\n',
    ]);
    const none = await place.seatrial(['run', 'other'], { env: { ...ENV, SEATRIAL_IMAGE_BUILDER: 'none' } });
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/^seatrial: needs an image: .*; SEATRIAL_IMAGE_BUILDER is none; .*buildah"?\n$/);
  });
});
