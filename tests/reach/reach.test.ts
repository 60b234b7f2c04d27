import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type Installed, installGlobally } from '../support/installed.ts';
import { processesWith } from '../support/processes.ts';
import { type CallOptions, Place, PROJECT } from '../support/seatrial.ts';
import { gains } from '../support/reach-attempts.ts';
import { gainsOf, Scene, type SceneOptions } from '../support/reach-scene.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const users = isRoot ? (['root', 'a plain user'] as const) : (['a plain user'] as const);
/** A directory of /usr that is there everywhere and that nothing needs. */
const BELOW_USR = '/usr/local/src';

const workshop = new Place();
let installed: Installed;
let clone: string;

beforeAll(() => {
  spawnSync('chmod', ['755', workshop.root, workshop.cwd]);
  clone = join(workshop.cwd, 'clone');
  for (const part of ['package.json', 'dist', 'tasks', 'src/run/judge/runners']) {
    cpSync(join(PROJECT, part), join(clone, part), { recursive: true });
  }
  installed = installGlobally();
});
afterAll(() => {
  workshop.remove();
  installed.remove();
});

/** A task in which engine, tests and code under test all try, and which passes if they do nothing worse. */
async function raid(scene: Scene, args: readonly string[], call: CallOptions): Promise<Report> {
  const { place, canary } = scene;
  // A run of yesterday, whose evidence is nobody's business today.
  place.task('yesterday', { instruction: `${canary}-yesterday\n` });
  const script = await scene.set();
  const task = place.task('task', {
    toml: `[seatrial]
test_command = "sh test.sh"
isolation = "black_box"
allowed_files = ["answer.txt"]
expected_tests = ["${canary}-id"]
`,
    files: { 'answer.txt': 'no\n', 'attempts.sh': script },
    tests: {
      'attempts.sh': script,
      'test.sh': `# ${canary}-sealed
sh "$(dirname "$0")/attempts.sh" tests
subject sh attempts.sh code
if [ "$(subject cat answer.txt)" = yes ]; then ok ${canary}-id; else not_ok ${canary}-id; fi
`,
    },
    solve: `# ${canary}-solution\necho yes > answer.txt\n`,
  });
  scene.handOver();
  expect((await place.run('yesterday', [], call)).code).toBe(0);
  const command = 'sh attempts.sh engine; echo yes > answer.txt';
  return (await place.run(task, ['--engine', 'command', '--command', command, ...args], call)).report;
}

/** All that came of a raid: what was got inside, and what it did to the machine. */
function loot(scene: Scene, report: Report) {
  const { status, confinement } = report;
  return {
    ...gainsOf(report),
    status,
    confined: confinement?.probe_passed,
    network: confinement?.network,
    ...harm(scene),
  };
}

function harm({ connections, bystanderLives, written, nap }: Scene) {
  return { connections, bystanderLives, written, leftBehind: processesWith(nap) };
}

const NO_HARM = { connections: 0, bystanderLives: true, written: [], leftBehind: [] };

/** Nothing but the tests themselves, for the tests alone. */
function nothing({ canary }: Scene): ReturnType<typeof loot> {
  const tests = ['id', 'sealed'].map((word) => `found /workspace/tests/test.sh:${canary}-${word}`);
  return { engine: [], tests, code: [], status: 'pass', confined: true, network: 'none', ...NO_HARM };
}

describe.each(users)('engine, tests and code under test, started by %s', (user) => {
  const who = isRoot && user === 'a plain user' ? { uid: NOBODY } : {};
  const scenes: Scene[] = [];
  const newScene = (options: Pick<SceneOptions, 'own'> & Partial<SceneOptions>): Scene => {
    const scene = new Scene({ ...who, walls: true, ...options });
    scenes.push(scene);
    return scene;
  };
  afterAll(() => scenes.forEach((scene) => scene.remove()));

  it('reach nothing from a clone', async () => {
    const root = user === 'root' ? PROJECT : clone;
    const scene = newScene({ own: [root, join(root, 'tasks'), join(root, 'dist')] });
    expect(loot(scene, await raid(scene, [], { ...scene.call, command: join(root, 'dist/seatrial.js') }))).toEqual(
      nothing(scene),
    );
  });

  it(
    'reach nothing from a global install, even where directories around Seatrial are shown to them',
    { tags: ['long'] },
    async () => {
      const { root, prefix, command } = installed;
      const scene = newScene({ own: [root, join(root, 'tasks')], readOnly: [prefix] });
      const report = await raid(scene, [], { ...scene.call, command });
      expect(loot(scene, report)).toEqual(nothing(scene));
      expect(report.confinement?.read_only).toContain(prefix);
    },
  );

  it('reach nothing from a global install below /usr', { tags: ['long'] }, async (ctx) => {
    if (!isRoot) ctx.skip('only root can put a package below /usr');
    if (spawnSync('unshare', ['--mount', 'true']).status !== 0) ctx.skip('no mount namespace can be made here');
    if (!existsSync(BELOW_USR)) ctx.skip(`there is no ${BELOW_USR}`);
    const root = join(BELOW_USR, 'lib/node_modules/seatrial');
    const scene = newScene({ own: [root, join(root, 'tasks'), join(root, 'dist')] });
    const script = `mount --bind "$1" ${BELOW_USR} && shift && exec "$@"`;
    const become =
      who.uid === undefined ? [] : ['setpriv', `--reuid=${who.uid}`, `--regid=${who.uid}`, '--clear-groups', '--'];
    const through = ['unshare', '--mount', '--', 'sh', '-c', script, 'sh', installed.prefix, ...become];
    const { uid: _root, ...call } = scene.call;
    expect(loot(scene, await raid(scene, [], { ...call, command: join(root, 'dist/seatrial.js'), through }))).toEqual(
      nothing(scene),
    );
  });

  it('would have reached it all without confinement', async () => {
    const scene = newScene({ own: [installed.root], walls: false });
    const { engine } = gainsOf(await raid(scene, ['--confine', 'none'], { ...scene.call, command: installed.command }));
    const { secrets, place, canary } = scene;
    expect(engine).toEqual(
      expect.arrayContaining([
        `read ${join(secrets, 'letter.txt')}`,
        `read ${join(place.home, '.netrc')}`,
        `listed ${place.runs}`,
        `listed ${installed.root}`,
        `listed ${join(place.cwd, 'task')}`,
        `found ${join(secrets, 'letter.txt')}:${canary}-letter`,
        `wrote ${secrets}`,
        'connected to the loopback',
        'connected to a socket file',
      ]),
    );
    expect(engine.some((line) => line.startsWith('signalled'))).toBe(true);
    expect(scene.bystanderLives).toBe(false);
    expect(scene.connections).toBeGreaterThan(0);
    expect(scene.written).toContain(secrets);
  });
});

const CODE = {
  python: {
    command: 'python3 -m pytest -q',
    files: { 'subject.py': 'import os\n\ndef go():\n    return os.system("sh attempts.sh code >&2")\n' },
    tests: { 'test_code.py': 'from subject import go\n\ndef test_go():\n    assert go() == 0\n' },
  },
  node: {
    command: 'node --test',
    files: {
      'package.json': '{"type":"module"}\n',
      'code.js': `import { spawnSync } from 'node:child_process';
export const go = () => spawnSync('sh', ['attempts.sh', 'code'], { stdio: ['ignore', 2, 2] }).status;
`,
    },
    tests: {
      'code.test.js': `import assert from 'node:assert';
import { test } from 'node:test';
import { go } from '../code.js';
test('go', () => assert.equal(go(), 0));
`,
    },
  },
};

describe.each(users)('code that is called by tests of its own language, started by %s', (user) => {
  it.each(['python', 'node'] as const)('reaches nothing: %s', async (language) => {
    const { command, files, tests } = CODE[language];
    const scene = new Scene({ walls: true, own: [clone], ...(isRoot && user !== 'root' ? { uid: NOBODY } : {}) });
    try {
      const { place } = scene;
      const script = await scene.set();
      const toml = `[seatrial]\ntest_command = "${command}"\nisolation = "black_box"\nallowed_files = ["answer.txt"]\n`;
      place.task('task', {
        toml,
        files: { ...files, 'attempts.sh': script },
        tests: sealedWith(tests, scene),
        solve: 'echo yes > answer.txt\n',
      });
      scene.handOver();
      const { report } = await place.run('task', [], { ...scene.call, command: join(clone, 'dist/seatrial.js') });
      expect(report.status).toBe('pass');
      expect(gains(readFileSync(join(report.run_dir, 'test.log'), 'utf8'), 'code')).toEqual([]);
      expect(harm(scene)).toEqual(NO_HARM);
    } finally {
      scene.remove();
    }
  });
});

function sealedWith(tests: Readonly<Record<string, string>>, { canary }: Scene): Record<string, string> {
  return { ...tests, 'expected.txt': `${canary}-sealed\n` };
}

describe('a directory that would show Seatrial itself', () => {
  const place = new Place();
  afterAll(() => place.remove());

  it.each([
    ['its package', () => installed.root],
    ['its tasks', () => join(installed.root, 'tasks')],
    ['the runs', () => place.runs],
    ['a whole home', () => place.home],
  ])('is refused: %s', async (_name, dir) => {
    mkdirSync(place.runs, { recursive: true });
    writeFileSync(join(place.cwd, 'seatrial.toml'), `[confine]\nread_only = [${JSON.stringify(dir())}]\n`);
    const { report, code } = await place.run('r1-string-slugify', [], { command: installed.command });
    expect(code).toBe(2);
    expect(report.failure_reason).toContain(dir());
    expect(report.backend_process_started).toBe(false);
  });
});
