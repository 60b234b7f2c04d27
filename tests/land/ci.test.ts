import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FeesProject } from '../support/fees.ts';
import { PROJECT } from '../support/seatrial.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}
const action = parse(readFileSync(join(PROJECT, 'action.yml'), 'utf8')) as Action;

const project = new FeesProject();
const base = project.git('rev-parse', 'main');
const NONE = '0'.repeat(40);
let red: string;
beforeAll(() => {
  project.git('checkout', '--quiet', '-b', 'red');
  red = project.commit({ 'fee_a.py': 'def fee():\n    return 9\n' }, 'too much');
});
afterAll(() => project.remove());

interface Job {
  readonly event: string;
  readonly payload: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly checkout?: string;
  readonly depth?: string;
}

/** Does with action.yml what a runner does: a fresh checkout, inputs as it declares them, files for summary and outputs. */
function job({ event, payload, inputs = {}, checkout = 'red', depth }: Job) {
  const place = mkdtempSync(join(project.root, 'job-'));
  const dir = join(place, 'checkout');
  const shallow = depth === undefined ? [] : ['--depth', depth];
  project.git('clone', '--quiet', ...shallow, '--branch', checkout, `file://${project.repo}`, dir);
  const files = { summary: join(place, 'summary.md'), output: join(place, 'output'), event: join(place, 'event.json') };
  writeFileSync(files.event, JSON.stringify(payload));
  mkdirSync(join(place, 'temp'));
  const given: Record<string, string> = { test: 'python3 -m pytest -q', ...inputs };
  const [step] = action.runs.steps;
  if (step === undefined) throw new Error('action.yml has no step');
  const valueOf = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_all, name: string) => given[name] ?? action.inputs[name]!.default,
    );
  const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: dir,
    encoding: 'utf8',
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: project.home,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: PROJECT.replace(/\/$/, ''),
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_OUTPUT: files.output,
      RUNNER_TEMP: join(place, 'temp'),
      ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, valueOf(value)])),
    },
  });
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const outputs = Object.fromEntries(
    read(files.output)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('=', 2) as [string, string]),
  );
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr, summary: read(files.summary), outputs };
}

const push = (before: string) => ({ event: 'push', payload: { before, repository: { default_branch: 'main' } } });

describe('the action', () => {
  test('fails a red change with annotations at the failing test, a job summary and outputs', () => {
    const ended = job(push(base));
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stdout).toContain('::error title=Seatrial%3A fail::tests newly failing: 1%0A');
    expect(ended.stdout).toContain(
      '::error file=tests/test_fees.py,title=Test newly failing::tests/test_fees.py::test_limit\n',
    );
    expect(ended.summary).toContain('tests newly failing: 1');
    expect(ended.outputs).toMatchObject({ status: 'fail', base, commit: red });
    for (const { value } of Object.values(action.outputs))
      expect(ended.outputs).toHaveProperty([/outputs\.([\w-]+) /.exec(value)?.[1] ?? '']);
    expect(existsSync(join(ended.outputs['bundle'] ?? '', 'attestation.json'))).toBe(true);
  });

  test('passes a green one, signed with the key of a secret', async () => {
    project.git('checkout', '--quiet', '-B', 'green', base);
    project.commit({ 'fee_a.py': 'def fee():\n    return 4\n' }, 'a little more');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    // The branch is new, so the base is where it left the default branch.
    const ended = job({ ...push(NONE), checkout: 'green', inputs: { key } });
    expect([ended.code, ended.outputs['base']], ended.stderr).toEqual([0, base]);
    const pem = join(project.root, 'ci.pem');
    writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }));
    const verified = await project.seatrial(['verify', ended.outputs['bundle'] ?? '', '--key', pem]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('verified')]);
  });

  test('judges the test merge of a pull request against its first parent', () => {
    project.git('checkout', '--quiet', '-B', 'target', base);
    project.commit({ 'fee_b.py': 'def fee():\n    return 5\n' }, 'on the target');
    const first = project.git('rev-parse', 'HEAD');
    const head = project.git('rev-parse', 'green');
    project.git('checkout', '--quiet', '-B', 'pull', 'target');
    project.git('merge', '--quiet', '--no-ff', '-m', 'test merge', 'green');
    const payload = { pull_request: { base: { sha: base }, head: { sha: head } } };
    const ended = job({ event: 'pull_request', payload, checkout: 'pull' });
    expect([ended.code, ended.outputs['base']], ended.stderr).toEqual([0, first]);
  });

  test('prints nothing of the change that the runner would take for a command', () => {
    const print = 'import sys\nprint("::set-output name=status::pass")\n';
    project.git('checkout', '--quiet', '-B', 'loud', base);
    project.commit({ 'fee_a.py': `${print}def fee():\n    return 9\n` }, 'loud');
    const { stdout } = job({ ...push(base), checkout: 'loud' });
    const token = /^::stop-commands::(\S+)$/m.exec(stdout)?.[1] ?? '';
    const after = stdout.slice(stdout.indexOf(`\n::${token}::\n`));
    expect(token).not.toBe('');
    expect(after).not.toMatch(/^::set-output/m);
    expect(stdout.slice(0, stdout.indexOf('::stop-commands::'))).not.toContain('set-output');
  });

  test.each([
    ['an event without a base', { event: 'schedule', payload: {} }, 64, 'give --base <commit before the change>'],
    ['a shallow clone', { ...push(base), depth: '1' }, 2, 'fetch-depth: 0'],
    ['a commit that changes nothing', { ...push(base), checkout: 'main' }, 2, 'there is no change to judge'],
    ['tests that report nothing', { ...push(base), inputs: { test: 'true' } }, 2, 'only an exit code'],
  ])('blocks %s', (_what, given: Job, code, sentence) => {
    const ended = job(given);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  });
});

test('outside of GitHub the base is that of GitLab or given, and the output is plain', async () => {
  project.git('checkout', '--quiet', 'red');
  const ci = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    project.seatrial(['ci', '--repo', project.repo, '--test', 'python3 -m pytest -q', ...args], { env });
  const summary = join(project.root, 'summary.md');
  const ended = await ci(['--summary', summary], { CI_COMMIT_BEFORE_SHA: base });
  expect([ended.code, ended.stdout], ended.stderr).toEqual([1, expect.stringContaining('tests newly failing: 1')]);
  expect(ended.stdout).not.toContain('::error');
  expect(readFileSync(summary, 'utf8')).toContain('tests newly failing: 1');
  const without = await ci([]);
  expect([without.code, without.stderr]).toEqual([64, expect.stringContaining('no base commit')]);
});
