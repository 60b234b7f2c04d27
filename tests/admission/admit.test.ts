import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sentenceOf, usageError } from '../support/one-sentence.ts';
import { type CallOptions, PROJECT, writeBelow } from '../support/seatrial.ts';
import { LastingPlace, PIN, QWEN, SOURCE } from '../support/lasting.ts';

let place: LastingPlace;
beforeEach(() => {
  place = new LastingPlace();
});
afterEach(() => place.remove());

const EXAMPLES = join(PROJECT, 'examples/admissions');
const recordFiles = (): string[] => readdirSync(place.admissions).filter((name) => name.endsWith('.json'));
const readRecord = (file: string) => JSON.parse(readFileSync(join(place.admissions, file), 'utf8'));

describe('a model', () => {
  const FILE = 'CTO-CASE-MODEL-PROVIDER-ADMISSION.qwen-local-qwen3.6-35b-a3b.json';

  it('is kept under a name that tells it, with who and when, and listed', async () => {
    expect(await place.seatrial(QWEN)).toMatchObject({ code: 0, stderr: '' });
    expect(recordFiles()).toEqual([FILE]);
    expect(readRecord(FILE)).toMatchObject({ kind: 'model', provider: 'qwen-local', approver: 'jp' });
    const { stdout, code } = await place.seatrial(['admissions']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^KIND +ENGINE +WHAT +PIN +ADMITTED +BY\n/);
    expect(stdout).toMatch(/\nmodel +case +qwen-local \/ qwen3\.6-35b-a3b +as openai +\d{4}-\d\d-\d\d +jp\n$/);
    expect(JSON.parse((await place.seatrial(['admissions', 'show', 'qwen'])).stdout)).toEqual(readRecord(FILE));
  });

  it('is not replaced unless that is asked for', async () => {
    await place.seatrial(QWEN);
    const before = readRecord(FILE);
    expect(usageError(await place.seatrial(QWEN))).toMatch(/already admits model qwen-local .* use --update/);
    expect(readRecord(FILE)).toEqual(before);
    expect((await place.seatrial([...QWEN, '--update', '--key-variable', 'QWEN_KEY'])).code).toBe(0);
    expect(readRecord(FILE)).toMatchObject({ key_variable: 'QWEN_KEY' });
    expect(recordFiles()).toEqual([FILE]);
  });

  it('admitted twice at once is admitted once', async () => {
    const ends = await Promise.all(Array.from({ length: 4 }, () => place.seatrial(QWEN)));
    expect(ends.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(ends.filter(({ code }) => code === 64)).toHaveLength(3);
    expect(recordFiles()).toEqual([FILE]);
    expect((await place.seatrial(['admissions'])).code).toBe(0);
  });

  it('is not admitted where nobody can be asked and nobody said yes', async () => {
    const withoutYes = QWEN.filter((word) => word !== '--yes');
    expect(usageError(await place.seatrial(withoutYes))).toContain('give --yes');
    expect((await place.seatrial(['admissions'])).stdout).toContain('no records in');
  });

  it.each([
    ['an address', 'http://canary-10-0-0-7:8000/v1'],
    ['a key', 'sk-canary4f9a8b7c6d5e4f3a2b1c'],
    ['a key in capitals', 'AKIA4QZ7Y2K9X3M8N5B6'],
  ])('%s instead of the name of a variable is refused and not repeated', async (_what, value) => {
    for (const flag of ['--endpoint-variable', '--key-variable', '--approver']) {
      const ended = await place.seatrial([...QWEN, flag, value]);
      expect(usageError(ended)).toMatch(/^cannot admit this/);
      expect(ended.stderr).not.toContain(value);
    }
    expect((await place.seatrial(['admissions'])).stdout).toContain('no records in');
  });

  it('whose record would hold what a variable of the caller holds is refused', async () => {
    const env = { CTO_HARNESS_CASE_LOCAL_BASE_URL: 'canary-host-of-mine', MY_API_KEY: 'canary-plain-words-only' };
    for (const value of Object.values(env))
      expect(usageError(await place.seatrial([...QWEN, '--approver', value], { env }))).toMatch(
        /would contain the value of \w+/,
      );
  });
});

describe('an example file', () => {
  it.each(readdirSync(EXAMPLES))('%s can be admitted; who admits it is the one who does', async (file) => {
    const kind = file.includes('SOURCE') ? 'source' : 'model';
    const terms = file.includes('openai-codex') ? ['--accept-terms'] : [];
    const from = ['--from', join(EXAMPLES, file), '--approver', 'jp', '--yes', ...terms];
    const ended = await place.seatrial(['admit', kind, ...from]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(recordFiles()).toEqual([file]);
    const { approver, admitted_at: _now, required_tools: tools, ...rest } = readRecord(file);
    expect(approver).toBe('jp');
    // Looked up on this machine, whatever the file says.
    const node = { name: 'node', present: true, version: process.versions.node };
    expect(tools ?? [node]).toContainEqual(node);
    expect(JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'))).toMatchObject(rest);
  });

  it.each([
    ['missing', 'none.json', null, /none\.json cannot be read \(ENOENT\)/],
    ['not JSON', 'odd.json', '{', /odd\.json is not JSON/],
    ['of another kind', 'odd.json', '{"kind":"source"}', /contains no record of kind model/],
    ['a list', 'odd.json', '[]', /contains no record of kind model/],
    ['incomplete', 'odd.json', '{"kind":"model"}', /is not valid: engine: .*provider: /],
    [
      'with a key in it',
      'odd.json',
      '{"kind":"model","key":"sk-canary4f9a8b7c6d5e4f3a2b1c"}',
      /looks like a credential/,
    ],
  ])('%s is refused in one sentence', async (_what, name, content, sentence) => {
    if (content !== null) writeBelow(place.cwd, { [name]: content });
    expect(usageError(await place.seatrial(['admit', 'model', '--from', name, '--yes']))).toMatch(sentence);
  });
});

describe('on a terminal', () => {
  /** Types a line into a terminal in which the command runs. */
  const typing = (line: string): CallOptions => ({
    through: ['sh', '-c', `printf '${line}\\n' | script -qefc "$*" /dev/null`, 'sh'],
  });
  const asked = ['admit', 'model', '--from', join(EXAMPLES, readdirSync(EXAMPLES)[0] ?? ''), '--approver', 'jp'];

  beforeEach((ctx) => {
    if (spawnSync('script', ['--version']).error !== undefined) ctx.skip('script (util-linux) is not installed');
  });

  it('the record is shown, and yes admits it', async () => {
    const { code, stdout } = await place.seatrial(asked, typing('y'));
    expect(stdout).toContain('"approver": "jp"');
    expect(stdout).toMatch(/Admit model .* for case\? \[y\/N\]/);
    expect([code, recordFiles().length]).toEqual([0, 1]);
  });

  it('anything else does not', async () => {
    const { code, stdout } = await place.seatrial(asked, typing(''));
    expect(stdout).toContain('not admitted');
    expect(code).toBe(1);
    expect((await place.seatrial(['admissions'])).stdout).toContain('no records in');
  });
});

it('a file and flags that describe the same are refused', async () => {
  const ended = await place.seatrial(['admit', 'model', '--from', 'x.json', '--engine', 'case', '--yes']);
  expect(usageError(ended)).toContain('--from reads the whole record');
});

describe('a source', () => {
  it('keeps what it was pinned to when it moves on', async () => {
    await place.seatrial([...SOURCE, '--other-id', '30b1fa1=measured on it', '--needs', 'sh', 'no-such-tool']);
    const next = 'b'.repeat(40);
    expect((await place.seatrial([...SOURCE, '--commit', next, '--update'])).code).toBe(0);
    expect((await place.seatrial([...SOURCE, '--commit', next, '--tag', 'v2', '--update'])).code).toBe(0);
    const record = readRecord('CTO-CASE-SOURCE-ADMISSION.workos-case.json');
    expect(record).toMatchObject({ commit: next, tag: 'v2', other_ids: [{ id: '30b1fa1', note: 'measured on it' }] });
    expect(record.previous_ids).toMatchObject([
      { commit: PIN, tag: null },
      { commit: next, tag: null },
    ]);
  });

  it('tells which tools its build needs are here', async () => {
    const { stdout } = await place.seatrial([...SOURCE, '--needs', 'git', 'no-such-tool', '--json']);
    expect(JSON.parse(stdout).record.required_tools).toMatchObject([
      { name: 'git', present: true, version: expect.stringMatching(/^\d+\./) },
      { name: 'no-such-tool', present: false, version: null },
    ]);
  });

  it.each([
    [['--url', 'https://me:canary-password@host/x.git'], /without user, password or query/],
    [['--commit', 'main'], /full commit id/],
    [['--engine', 'case2'], /unknown engine case2/],
    [['--wat'], /unknown option '--wat'/],
  ])('with %j is refused', async (flags, sentence) => {
    const ended = await place.seatrial([...SOURCE, ...flags]);
    expect(usageError(ended)).toMatch(sentence);
    expect(ended.stderr).not.toContain('canary');
  });

  it('without its flags names all that are missing', async () => {
    expect(usageError(await place.seatrial(['admit', 'source']))).toContain('--engine, --id, --url, --license');
    expect(usageError(await place.seatrial(['admit']))).toMatch(
      /needs a subcommand: engine, source, model, executable/,
    );
  });
});

describe('an executable', () => {
  const admit = (path: string, ...more: string[]): string[] =>
    ['admit', 'executable', place.seen(path), '--engine', 'case', '--yes', '--json'].concat(more);

  it('is admitted by its bytes, with what it says of itself and where it was built from', async () => {
    const path = place.program('ca');
    await place.lasting(SOURCE);
    const unknown = await place.lasting(admit(path, '--source', 'workos-case'));
    expect(usageError(unknown)).toMatch(
      /nothing shows which commit of workos-case it was built from; give --source-commit/,
    );
    const built = 'b'.repeat(40);
    const { stdout, stderr } = await place.lasting(admit(path, '--source', 'workos-case', '--source-commit', built));
    expect(stderr).toBe('');
    const bytes = readFileSync(path);
    expect(JSON.parse(stdout).record).toMatchObject({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      path: place.seen(path),
      source: 'workos-case',
      source_commit: built,
      identity: expect.stringContaining('ca: does this and that'),
    });
  });

  it('that is another program is refused', async () => {
    const ended = await place.lasting(['admit', 'executable', '/usr/bin/git', '--engine', 'case', '--yes']);
    expect(sentenceOf(ended, 2)).toMatch(/does not identify itself as the program of case/);
    const fake = await place.lasting(['admit', 'executable', '/usr/bin/git', '--engine', 'fake', '--yes']);
    expect(usageError(fake)).toMatch(/fake is no engine with a program of its own/);
  });

  it('is asked for --help alone, without network, home or environment of the caller, and is not waited for', async () => {
    const path = place.program(
      'curious',
      'echo "asked: $*"; echo "Usage: ca <command> [options]"; env; ls -a "$HOME" /mnt 2>&1; sleep 1000 & exit 3',
    );
    const { stdout } = await place.lasting(admit(path), { env: { CANARY_VARIABLE: 'canary' } });
    const { identity } = JSON.parse(stdout).record;
    expect(identity).toMatch(/^asked: --help\n/);
    expect(stdout).not.toMatch(/canary/i);
    expect(stdout).not.toContain('.seatrial');
  });

  it.each([
    ['in a temporary directory', () => place.program('ca'), /is in the temporary directory \/tmp/],
    ['behind a link into one', () => linkTo(place.program('ca')), /is in the temporary directory \/tmp/],
  ])('%s is refused', async (_what, lay, sentence) => {
    const ended = await place.seatrial(['admit', 'executable', lay(), '--engine', 'case', '--yes']);
    expect(sentenceOf(ended, 2)).toMatch(sentence);
  });

  const linkTo = (path: string): string => {
    symlinkSync(path, join(place.cwd, 'link'));
    return join(place.cwd, 'link');
  };

  it('in a dirty source tree is refused; in a clean one its commit is recorded', async () => {
    const tree = place.repository('tree', { 'src/generated.ts': '1', '.gitignore': 'dist\n' });
    writeBelow(tree, { 'dist/ca': "#!/bin/sh\necho 'Usage: ca <command> [options]'\n" });
    chmodSync(join(tree, 'dist/ca'), 0o755);
    const clean = await place.lasting(admit(join(tree, 'dist/ca')));
    expect(JSON.parse(clean.stdout).record.source_commit).toMatch(/^[0-9a-f]{40}$/);
    writeBelow(tree, { 'src/generated.ts': '2' });
    const dirty = await place.lasting(admit(join(tree, 'dist/ca'), '--update'));
    expect(sentenceOf(dirty, 2)).toMatch(/the source tree \/mnt\/project\/tree is dirty \(src\/generated\.ts\)/);
    expect(recordFiles()).toHaveLength(1);
  });

  it('that is itself changed since it was committed is refused, and a filter of its repository does not run', async () => {
    const tree = place.repository('tree', { ca: '#!/bin/sh\necho ca\n', '.gitattributes': '* filter=spy\n' });
    writeBelow(tree, { ca: '#!/bin/sh\necho other\n' });
    chmodSync(join(tree, 'ca'), 0o755);
    const spy = join(place.root, 'spied');
    writeFileSync(
      join(tree, '.git/config'),
      `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch ${place.seen(spy)}\n[filter "spy"]\n\tclean = touch ${place.seen(spy)}\n`,
    );
    expect(sentenceOf(await place.lasting(admit(join(tree, 'ca'))), 2)).toMatch(/is dirty \(ca\)/);
    expect(readdirSync(place.root).sort()).toEqual(['home', 'project']);
  });

  it.each([
    ['a missing one', 'bin/none', null, 64, /does not exist/],
    ['a directory', '.', null, 64, /is not a file/],
    ['one that may not be executed', 'bin/plain', 0o644, 64, /is not readable and executable/],
    ['a script without its interpreter', 'bin/script', 0o755, 2, /does not start on this machine/],
  ])('%s is refused', async (_what, path, mode, code, sentence) => {
    if (mode !== null) {
      writeBelow(place.cwd, { [path]: '#!/opt/no-such-interpreter\n' });
      chmodSync(join(place.cwd, path), mode);
    }
    const ended = await place.lasting(['admit', 'executable', path, '--engine', 'case', '--yes']);
    expect(sentenceOf(ended, code)).toMatch(sentence);
  });

  it('of a source that is not recorded is refused', async () => {
    const ended = await place.lasting(admit(place.program('ca'), '--source', 'nowhere'));
    expect(usageError(ended)).toMatch(/no record of a source nowhere of case/);
  });
});

it('a directory that cannot be written is told in one sentence', async () => {
  mkdirSync(join(place.cwd, '.seatrial'));
  writeFileSync(place.admissions, '');
  expect(usageError(await place.seatrial(QWEN))).toMatch(/cannot write the admissions directory/);
});
