import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FeesProject, raise } from '../support/fees.ts';

let project: FeesProject;
/** A clone of the repository before anything landed, and one with two landed commits. */
let key: string;
let landed: readonly string[];
const before = (): string => `${landed[0]}~`;

beforeAll(async () => {
  project = new FeesProject();
  const runs = [await project.proven(raise('a', 4)), await project.proven(raise('b', 5))];
  project.git('clone', '--quiet', '--bare', project.repo, join(project.root, 'seed.git'));
  const { runs: ended } = await project.landing([...runs.map(({ run_id: id }) => id), '--onto', 'main']);
  landed = ended.map(({ commit }) => commit ?? '');
  key = join(project.root, 'harness.pem');
  writeFileSync(key, (await project.seatrial(['key', 'show'])).stdout);
}, 240_000);
afterAll(() => project.remove());

/** A server with the hook; the project's repository has it as a remote of that name. */
async function server(name: string, ...args: string[]): Promise<string> {
  const dir = join(project.root, `${name}.git`);
  project.git('clone', '--quiet', '--bare', join(project.root, 'seed.git'), dir);
  project.git('remote', 'add', name, dir);
  const ended = await project.seatrial(['hook', 'install', dir, '--key', key, ...args]);
  if (ended.code !== 0) throw new Error(ended.stderr);
  return dir;
}

/** Pushes and gives what the server said; null: it took the push. */
function push(...args: string[]): string | null {
  try {
    project.git('push', '--quiet', ...args);
    return null;
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

const RECORDS = 'refs/seatrial/landings/*';

/** A commit on a tip with another file, without any proof. */
function unproven(onto: string, ...moreParents: string[]): string {
  const parents = [onto, ...moreParents].flatMap((parent) => ['-p', parent]);
  return project.git('commit-tree', `${onto}^{tree}`, ...parents, '-m', 'unproven');
}

const tipOf = (dir: string, ref = 'main'): string => project.gitIn(dir, 'rev-parse', ref);

test('several landed commits with their records are accepted in one push, and verify there', async () => {
  const dir = await server('several');
  expect(push('several', 'main', RECORDS)).toBeNull();
  expect(tipOf(dir)).toBe(landed[1]);
  const verified = await project.seatrial(['verify', '--commit', 'main', '--repo', dir, '--key', key]);
  expect(verified.code, verified.stdout).toBe(0);
});

test('a landing with --push passes the hook', async () => {
  const dir = await server('landing');
  expect(push('landing', 'main', RECORDS)).toBeNull();
  const { run_id: run } = await project.proven(raise('a', 2));
  const { runs } = await project.landing([run, '--onto', 'main', '--push', 'landing']);
  expect([runs[0]?.outcome, runs[0]?.commit], JSON.stringify(runs)).toEqual(['landed', tipOf(dir)]);
  project.git('reset', '--quiet', '--hard', landed[1] ?? '');
});

describe('a push is refused as a whole', () => {
  let dir: string;
  let start: string;
  beforeAll(async () => {
    dir = await server('strict');
    start = tipOf(dir);
  });
  /** What the server said; it must have changed nothing. */
  const refused = (...args: string[]): string | null => {
    const said = push('strict', ...args);
    const refs = project.gitIn(dir, 'for-each-ref', '--format=%(objectname) %(refname)');
    if (refs !== `${start} refs/heads/main`) throw new Error(`the server has changed: ${refs}`);
    return said;
  };

  test('without the record of a commit', () => {
    expect(refused('main')).toContain(`main refused: commit ${landed[0]?.slice(0, 12)}: it has no landing record`);
    expect(refused('main', `refs/seatrial/landings/${landed[0]}`)).toContain(
      `commit ${landed[1]?.slice(0, 12)}: it has no landing record`,
    );
  });

  test('with a commit of its own on top of proven ones', () => {
    const extra = unproven('main');
    expect(refused(`${extra}:refs/heads/main`, RECORDS)).toContain(
      `commit ${extra.slice(0, 12)}: it has no landing record`,
    );
  });

  test('with a merge commit', () => {
    const merge = unproven('main', before());
    project.git('update-ref', `refs/seatrial/landings/${merge}`, `refs/seatrial/landings/${landed[1]}`);
    expect(refused(`${merge}:refs/heads/main`, RECORDS)).toContain('its landing record is about commit');
    project.git('update-ref', '-d', `refs/seatrial/landings/${merge}`);
  });

  test('with a record that was changed', () => {
    const record = project.git('cat-file', 'blob', `refs/seatrial/landings/${landed[0]}`);
    const envelope = JSON.parse(record) as { payload: string };
    const statement = Buffer.from(envelope.payload, 'base64')
      .toString('utf8')
      .replace('refs/heads/main', 'refs/heads/maim');
    const changed = JSON.stringify({ ...envelope, payload: Buffer.from(statement).toString('base64') });
    const file = join(project.root, 'changed.json');
    for (const text of [changed, 'not JSON', '']) {
      writeFileSync(file, text);
      const blob = project.git('hash-object', '-w', file);
      expect(refused(`${landed[0]}:refs/heads/main`, `${blob}:refs/seatrial/landings/${landed[0]}`)).toContain(
        'its landing record is invalid',
      );
    }
  });

  test('with the record of another commit, or of another branch', () => {
    const other = project.git('rev-parse', `refs/seatrial/landings/${landed[1]}`);
    expect(refused(`${landed[0]}:refs/heads/main`, `${other}:refs/seatrial/landings/${landed[0]}`)).toContain(
      `its landing record is about commit ${landed[1]}`,
    );
    expect(refused(`${landed[0]}:refs/heads/next`, RECORDS)).toContain('its landing record is for refs/heads/main');
  });

  test('that creates a branch with an unproven commit', () => {
    expect(refused(`${unproven(before())}:refs/heads/next`)).toContain('it has no landing record');
  });

  test('that deletes a branch, or replaces a commit', () => {
    expect(refused(':refs/heads/main')).toContain('a protected branch cannot be deleted');
    expect(refused(`${landed[0]}:refs/replace/${project.git('rev-parse', before())}`)).toContain('show other content');
    expect(refused('main:refs/seatrial/other')).toContain('only records of landings');
  });

  test('when the program behind the hook is gone', () => {
    const hook = join(dir, 'hooks/pre-receive');
    const text = readFileSync(hook, 'utf8');
    writeFileSync(hook, text.replace('dist/seatrial.js', 'dist/gone.js'));
    expect(refused('main', RECORDS)).toContain('pre-receive hook declined');
    writeFileSync(hook, text);
  });

  test('when no key is pinned any more', () => {
    rmSync(join(dir, 'seatrial/keys'), { recursive: true });
    expect(refused('main', RECORDS)).toContain('holds no public key');
  });
});

test('what was accepted is not taken back: no force push, no change of a record', async () => {
  const dir = await server('kept');
  expect(push('kept', 'main', RECORDS)).toBeNull();
  const other = unproven(before());
  expect(push('kept', `+${other}:refs/heads/main`)).toContain('it is not a fast-forward');
  expect(push('kept', `+${landed[0]}:refs/heads/main`)).toContain('it is not a fast-forward');
  expect(push('kept', `:refs/seatrial/landings/${landed[0]}`)).toContain('cannot be changed or deleted');
  expect(push('kept', `${landed[0]}:refs/heads/release`)).toBeNull();
  expect([tipOf(dir), tipOf(dir, 'release')]).toEqual([landed[1], landed[0]]);
});

test('a key that is not pinned signs for nobody', async () => {
  const foreign = join(project.root, 'foreign.pem');
  const { publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(foreign, publicKey.export({ type: 'spki', format: 'pem' }));
  const dir = await server('foreign');
  rmSync(join(dir, 'seatrial/keys'), { recursive: true });
  expect((await project.seatrial(['hook', 'install', dir, '--key', foreign])).code).toBe(0);
  expect(push('foreign', 'main', RECORDS)).toContain('which is not trusted here');
});

test('--branch leaves other branches alone, but not a name that stands for a protected one', async () => {
  const dir = await server('some', '--branch', 'main', 'release/*');
  const extra = unproven(before());
  expect(push('some', `${extra}:refs/heads/work`)).toBeNull();
  expect(push('some', `${extra}:refs/heads/main`)).toContain('it has no landing record');
  expect(push('some', `${extra}:refs/heads/release/1`)).toContain('it has no landing record');
  project.gitIn(dir, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  expect(push('some', `${extra}:refs/heads/alias`)).toContain('it has no landing record');
  expect(tipOf(dir)).toBe(project.git('rev-parse', before()));
});

test('an empty repository takes the history that its owner named', async () => {
  const dir = join(project.root, 'empty.git');
  project.git('init', '--quiet', '--bare', dir);
  project.git('remote', 'add', 'empty', dir);
  const install = ['hook', 'install', dir, '--key', key];
  expect((await project.seatrial(install)).code).toBe(0);
  expect(push('empty', 'main', RECORDS)).toContain('it has no landing record');
  expect((await project.seatrial([...install, '--history', project.git('rev-parse', before())])).code).toBe(0);
  expect(push('empty', 'main', RECORDS)).toBeNull();
});

test('installing refuses a foreign hook, a redirected hooks directory and what is no key', async () => {
  const dir = join(project.root, 'theirs.git');
  project.git('init', '--quiet', '--bare', dir);
  const hook = join(dir, 'hooks/pre-receive');
  const install = async (file: string): Promise<readonly [number | null, string]> => {
    const ended = await project.seatrial(['hook', 'install', dir, '--key', file]);
    return [ended.code, ended.stderr];
  };
  expect(await install(join(dir, 'HEAD'))).toEqual([64, expect.stringContaining('is not a readable public key')]);
  expect(existsSync(hook)).toBe(false);
  writeFileSync(hook, '#!/bin/sh\n');
  chmodSync(hook, 0o755);
  expect(await install(key)).toEqual([64, expect.stringContaining('was not written by Seatrial')]);
  project.gitIn(dir, 'config', 'core.hooksPath', '/elsewhere');
  expect(await install(key)).toEqual([64, expect.stringContaining('core.hooksPath')]);
});
