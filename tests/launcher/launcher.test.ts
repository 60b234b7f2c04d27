import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clone, type Ended } from '../support/clone.ts';

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

const told = (ended: Ended) => JSON.parse(ended.stdout);
const builtAt = () => statSync(join(clone.root, 'dist/seatrial.js'), { bigint: true }).ino;
const npmCalls = () => (existsSync(`${clone.home}/npm-calls`) ? readFileSync(`${clone.home}/npm-calls`, 'utf8') : '');
/** Later than any build so far, whatever the resolution of the file system's times. */
const touch = (file: string) => utimesSync(file, new Date(), new Date(Date.now() + 60_000));

describe('./seatrial in a fresh clone', () => {
  it('installs packages, builds, hands on arguments to the letter and returns the exit code', () => {
    const args = ['verify', '--json', '', 'two words', 'line\nbreak', '-x', '$HOME', '*'];
    const ended = clone.run(args);
    expect(ended.code).toBe(7);
    expect(told(ended).args).toEqual(args);
    expect(ended.stderr).toBe('seatrial: installing npm packages\n');
    expect(npmCalls()).toMatch(/^npm --prefix .* install --no-save .*--ignore-scripts/);
  });

  it("keeps the caller's directory, also when called through a link", () => {
    const link = join(clone.home, 'linked');
    symlinkSync(clone.launcher, link);
    expect(told(clone.run([], { as: link, cwd: '/' })).cwd).toBe('/');
    expect(told(clone.run([], { as: './seatrial', cwd: clone.root })).cwd).toBe(clone.root);
    expect(told(clone.run(['seatrial', '--help'], { as: 'bash', cwd: clone.root })).args).toEqual(['--help']);
  });

  it('is set up once when called eight times at the same time', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, (_, index) => clone.start([String(index)])));
    expect(calls.map((ended) => told(ended).args)).toEqual(calls.map((_, index) => [String(index)]));
    expect(npmCalls().trim().split('\n')).toHaveLength(1);
  });

  it('sets extra certificates aside under another name', () => {
    const { NODE_EXTRA_CA_CERTS, SEATRIAL_EXTRA_CA_CERTS } = told(
      clone.run([], { env: { NODE_EXTRA_CA_CERTS: '/no/such.pem' } }),
    );
    expect([NODE_EXTRA_CA_CERTS, SEATRIAL_EXTRA_CA_CERTS]).toEqual([undefined, '/no/such.pem']);
  });
});

describe('./seatrial the second time', () => {
  it('neither installs nor builds', () => {
    clone.run([]);
    const before = builtAt();
    const again = clone.run([]);
    expect([again.code, again.stderr, builtAt()]).toEqual([7, '', before]);
    expect(npmCalls().trim().split('\n')).toHaveLength(1);
  });

  it('builds again after a source file was changed, or removed', () => {
    const extra = join(clone.root, 'src/cli/extra.ts');
    writeFileSync(extra, 'export const edition = 2;\n');
    writeFileSync(clone.main, "import { edition } from './extra.ts';\nconsole.log(edition);\n");
    expect(clone.run([]).stdout).toBe('2\n');
    writeFileSync(extra, 'export const edition = 3;\n');
    touch(extra);
    expect(clone.run([]).stdout).toBe('3\n');
    unlinkSync(extra);
    touch(join(clone.root, 'src/cli'));
    const ended = clone.run([]);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('seatrial: the build failed; the lines above say where\n');
  });

  it('installs again when the lockfile says something else, not when it was only touched', () => {
    clone.run([]);
    const lock = join(clone.root, 'package-lock.json');
    touch(lock);
    expect(clone.run([]).stderr).toBe('');
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`);
    touch(lock);
    expect(clone.run([]).stderr).toBe('seatrial: installing npm packages\n');
    expect(npmCalls().trim().split('\n')).toHaveLength(2);
  });

  it('still runs when the packages are gone: the bundle needs none', () => {
    clone.run([]);
    rmSync(join(clone.root, 'node_modules'));
    clone.without('npm');
    expect(clone.run([]).code).toBe(7);
  });
});

describe('./seatrial without what it needs', () => {
  it('says so when node is missing', () => {
    clone.without('node');
    const ended = clone.run(['--help']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(
      'seatrial: Node.js is not installed; install version 20.19 or newer (https://nodejs.org)\n',
    );
  });

  it.each(['v18.20.4', 'v20.18.3'])('refuses node %s, also after it ran with a newer one', (version) => {
    clone.run([]);
    clone.program('node', `echo ${version}`);
    touch(join(clone.bin, 'node'));
    const ended = clone.run(['--help']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(
      `seatrial: Node.js ${version} is too old; install version 20.19 or newer (https://nodejs.org)\n`,
    );
  });

  it('says who can mend it when the clone belongs to someone else and is not set up', (ctx) => {
    if (process.getuid?.() !== 0) ctx.skip('only root can make files that belong to someone else');
    chmodSync(clone.home, 0o755);
    const ended = clone.run(['--help'], { uid: 65_534 });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(
      `seatrial: ${clone.root} is not set up yet and is not writable for you; its owner must run ./seatrial --version there first\n`,
    );
  });

  it('names the directory when npm fails, and tries again the next time', () => {
    clone.program('npm', 'echo "registry not reachable" >&2; exit 1');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const ended = clone.run([]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toContain('registry not reachable');
      expect(ended.stderr).toContain(`seatrial: 'npm install' failed in ${clone.root}; the lines above say why\n`);
    }
  });
});
