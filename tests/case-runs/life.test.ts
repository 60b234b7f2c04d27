import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { SlugifyScript } from '../../src/engines/case/self-test/slugify.ts';
import { commandLines, processesWith } from '../support/processes.ts';
import { PROJECT, writeBelow } from '../support/seatrial.ts';
import { serveSelfSigned } from '../support/self-signed.ts';
import { CasePlace, KEY } from '../support/case-place.ts';
import { decidedBy } from '../support/decided-by.ts';

const CASE = ['--engine', 'case'];
const TASK = 'r1-string-slugify';

let place: CasePlace;
afterEach(() => place.leave());

const open = async (script: SlugifyScript): Promise<CasePlace> => (place = await CasePlace.open(script));

const PASSED = {
  status: 'pass',
  backend: 'case',
  backend_completion: 'completed_by_harness',
  backend_exit_code: null,
  changed_files: ['strings.py'],
  stage: 2,
  source_admission_status: 'not_admitted',
  case_process_started: true,
  case_model_provider: 'qwen-local',
  case_model: 'qwen3.6-35b-a3b',
  case_model_admission_status: 'admitted',
  case_runtime_model_provider: 'openai',
  model: { provider: 'qwen-local', name: 'qwen3.6-35b-a3b', runtime_provider: 'openai', admission_status: 'admitted' },
  baseline: { status: 'pass', paths: { fake: 'baseline', case: '.' } },
};

/** Every file of a directory, by name. */
function contentsOf(dir: string): [name: string, bytes: Buffer][] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name))]);
}

test('a committed proof ends Case, passes, and names neither endpoint nor key anywhere', async () => {
  await open('commits, then the verifier hangs');
  const running = place.start(['run', TASK, '--json', ...CASE], { env: place.env() });
  const lines: string[] = [];
  const watch = setInterval(() => lines.push(...commandLines()), 20);
  const { stdout, stderr, code } = await running.ended;
  clearInterval(watch);
  const report = JSON.parse(stdout);
  expect({ code, report }).toMatchObject({ code: 0, report: PASSED });
  expect(report.usage).toMatchObject({ requests: expect.any(Number), cost_usd: expect.any(Number) });
  const secrets = [place.url, place.url.replace(/^http:\/\/|\/v1$/g, ''), KEY];
  const places = [...contentsOf(place.cwd), ...contentsOf(place.home)].filter(([, bytes]) =>
    secrets.some((secret) => bytes.includes(secret)),
  );
  expect(places.map(([name]) => name)).toEqual([]);
  expect(lines.some((line) => line.includes('gateway.js'))).toBe(true);
  for (const secret of secrets) expect([...lines, stdout, stderr].filter((text) => text.includes(secret))).toEqual([]);
  expect(place.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(await place.seatrial(['verify', report.run_id])).toMatchObject({ code: 0 });
  // Every artifact has its digest, in the report or where the report says; and the harness had a plan before Case began.
  const known = [...Object.keys(report.digests), ...Object.keys(report.digests_elsewhere)];
  expect(Object.keys(report.artifacts).filter((name) => !known.includes(name))).toEqual([]);
  const events = readFileSync(join(report.run_dir, 'events.normalized.jsonl'), 'utf8').trim().split('\n');
  const types = events.map((line) => JSON.parse(line).type);
  expect(types.indexOf('plan.updated')).toBeLessThan(types.indexOf('backend.started'));
});

test("a poisoned ~/.pi and a poisoned environment of the caller's change nothing", async () => {
  await open('commits, then the verifier hangs');
  const provider = {
    baseUrl: 'http://127.0.0.1:9/v1',
    api: 'openai-completions',
    apiKey: 'OPENAI_API_KEY',
    models: [],
  };
  writeBelow(join(place.home, '.pi/agent'), {
    'models.json': JSON.stringify({ providers: { openai: provider } }),
    'settings.json': JSON.stringify({ shellPath: '/bin/false' }),
    'auth.json': 'not JSON',
  });
  writeBelow(join(place.home, '.config/case'), { 'config.json': 'not JSON' });
  const { report } = await place.run(TASK, CASE, {
    env: place.env({
      OPENAI_API_KEY: 'canary-ambient-openai-key-77',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      CASE_DATA_DIR: join(place.home, '.config/case'),
      PI_CODING_AGENT_DIR: join(place.home, '.pi/agent'),
    }),
  });
  expect(report).toMatchObject(PASSED);
});

test("settings of the repository's own are not obeyed, not lost, and in no patch", async () => {
  await open('commits everything, then the verifier hangs');
  const task = join(place.cwd, 'poisoned');
  cpSync(join(PROJECT, 'tasks', TASK), task, { recursive: true });
  writeBelow(join(task, 'environment/files'), {
    '.pi/settings.json': JSON.stringify({ shellPath: '/workspace/own-shell' }),
    'own-shell': '#!/bin/sh\necho obeyed >> /workspace/obeyed\nexec /bin/sh "$@"\n',
  });
  await place.admitTask(task);
  const { report } = await place.run(task, CASE, { env: place.env() });
  expect(report).toMatchObject({ ...PASSED, ignored_files: [] });
  const log = readFileSync(join(report.run_dir, 'backend/own-log.jsonl'), 'utf8');
  expect(log).toContain('tool_end');
  expect(log).not.toContain('.pi/settings.json');
});

test('an exit of 0, a claim and "completed" are worth nothing without the work', async () => {
  await open('lies');
  const { code, report } = await place.run(TASK, CASE, { env: place.env() });
  expect({ code, report }).toMatchObject({
    code: 1,
    report: { status: 'fail', blocker_codes: decidedBy('no_diff'), backend_exit_code: 0, backend_completion: 'exited' },
  });
  expect(report.blockers).toContain('claimed commit not found');
  expect(readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8')).toContain('completed successfully');
});

test('a deadline after a valid patch is fail evidence', { tags: ['long'] }, async () => {
  await open('commits, then hangs');
  const env = place.env({ CTO_HARNESS_CASE_TIMEOUT_SECONDS: '8' });
  const { code, report } = await place.run(TASK, CASE, { env });
  expect({ code, report }).toMatchObject({
    code: 1,
    report: { status: 'fail', backend_exit_code: 124, tests: { passed: true }, changed_files: ['strings.py'] },
  });
  expect(report.blockers).toEqual([
    'case lifecycle timeout after valid patch',
    'case engine failed with exit code 124',
  ]);
  expect(report.markers).toEqual(['backend/provider-timeout.txt']);
});

test('a run is replayed with its model gone, and gives the same patch', async () => {
  await open('commits, then the verifier hangs');
  const first = await place.run(TASK, CASE, { env: place.env() });
  const asked = place.asked.length;
  await place.closeModel();
  const { QWEN_LOCAL_KEY: _key, CTO_HARNESS_CASE_LOCAL_BASE_URL: _url, ...env } = place.env();
  const again = await place.seatrial(['run', '--replay', first.report.run_id, '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({
    status: 'pass',
    backend: 'case',
    patch: { sha256: first.report.patch.sha256 },
    markers: ['backend/model-replayed.txt'],
    changed_files: ['strings.py'],
    baseline: { kind: 'oracle', status: 'pass' },
  });
  expect(place.asked.length).toBe(asked);
});

test(
  'a run is replayed only if its bundle is sound and the solution of its task is here',
  { tags: ['long'] },
  async () => {
    await open('commits, then the verifier hangs');
    const task = join(place.cwd, 'own');
    cpSync(join(PROJECT, 'tasks', TASK), task, { recursive: true });
    writeBelow(task, { 'instruction.md': 'Mend slugify in strings.py.\n' });
    await place.admitTask(task);
    const { report } = await place.run(task, CASE, { env: place.env() });
    expect(report.status).toBe('pass');
    const replay = (...args: string[]) =>
      place.seatrial(['run', ...args, '--replay', report.run_id], { env: place.env() });
    renameSync(task, join(place.cwd, 'moved'));
    expect(await replay()).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('give its unchanged task directory'),
    });
    renameSync(join(place.cwd, 'moved'), task);
    expect(await replay('own')).toMatchObject({ code: 0 });
    writeBelow(report.run_dir, { 'backend/model/exchanges.jsonl': '' });
    expect(await replay('own')).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/^seatrial: cannot replay .*invalid/),
    });
  },
);

test('a budget ends the run as failed', async () => {
  await open('commits');
  const { code, report } = await place.run(TASK, [...CASE, '--max-requests', '1'], { env: place.env() });
  expect({ code, report }).toMatchObject({
    code: 1,
    report: {
      status: 'fail',
      failure_reason: 'over budget: max_requests',
      // Its own question before the engine's first counts as well.
      usage: { requests: 2 },
    },
  });
});

test('a gateway that dies is told apart from a provider that does', async () => {
  await open('hangs after the first question');
  const running = place.start(['run', TASK, '--json', ...CASE], { env: place.env() });
  await vi.waitUntil(() => place.asked.length > 1, { timeout: 60_000 });
  const gateways = gatewaysOf(running.child.pid);
  for (const pid of gateways) process.kill(pid, 'SIGKILL');
  const { code, stdout } = await running.ended;
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 2,
    report: { status: 'blocked', failure_reason: expect.stringMatching(/^the gateway ended: /) },
  });
});

const KEPT = { changed_files: ['strings.py'], frozen_tree: { examined: 'complete', detail: null } };
const patchOf = ({ run_dir }: { run_dir: string }): string => readFileSync(join(run_dir, 'patch.diff'), 'utf8');

test('what the engine had done when its provider failed is kept', { tags: ['long'] }, async () => {
  await open('edits, then the provider fails');
  const { code, report } = await place.run(TASK, CASE, { env: place.env() });
  expect({ code, report }).toMatchObject({
    code: 2,
    report: { ...KEPT, status: 'blocked', failure_reason: 'provider unavailable: HTTP 500', tests: { passed: false } },
  });
  expect(patchOf(report)).toContain('+import unicodedata');
  expect(await place.seatrial(['verify', report.run_id])).toMatchObject({ code: 0 });
});

test.each([
  ['its gateway died', (harness: number | undefined) => gatewaysOf(harness), 'SIGKILL', /^the gateway ended: /],
  ['the run was interrupted', (harness: number | undefined) => [harness ?? 0], 'SIGINT', /^interrupted$/],
] as const)('what the engine had done when %s is kept', async (_what, whom, signal, reason) => {
  await open('edits, then hangs');
  const running = place.start(['run', TASK, '--json', ...CASE], { env: place.env() });
  // The harness's own question, then the one that is answered with an edit, then the one after it.
  await vi.waitUntil(() => place.asked.length > 2, { timeout: 60_000 });
  for (const pid of whom(running.child.pid)) process.kill(pid, signal);
  const { code, stdout } = await running.ended;
  const report = JSON.parse(stdout);
  expect({ code, report }).toMatchObject({
    code: 2,
    report: { ...KEPT, failure_reason: expect.stringMatching(reason) },
  });
  expect(patchOf(report)).toContain('+import unicodedata');
});

function gatewaysOf(harness: number | undefined): number[] {
  const found = processesWith(/gateway\.js/).filter((pid) => parentOf(pid) === harness);
  expect(found).toHaveLength(1);
  return found;
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('Ctrl-C keeps the evidence and leaves no process', async () => {
  await open('hangs after the first question');
  const running = place.start(['run', TASK, '--json', ...CASE], { env: place.env() });
  await vi.waitUntil(() => place.asked.length > 1, { timeout: 60_000 });
  const gateways = gatewaysOf(running.child.pid);
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 2,
    report: {
      status: 'blocked',
      blocker_codes: ['interrupted'],
      backend_completion: 'exited',
      case_process_started: true,
    },
  });
  expect(gateways.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

test('a killed run, once recovered, says who worked at which stage with which program and model', async () => {
  await open('hangs after the first question');
  const running = place.start(['run', TASK, '--json', ...CASE], { env: place.env() });
  await vi.waitUntil(() => place.asked.length > 1, { timeout: 60_000 });
  running.child.kill('SIGKILL');
  await running.ended;
  const recovered = await place.seatrial(['runs', 'recover'], { env: place.env() });
  expect(recovered.code, recovered.stdout).toBe(0);
  const { stdout } = await place.seatrial(['runs', 'list', '--json']);
  const { run_dir: dir } = JSON.parse(stdout)[0];
  const { model, baseline: _control, ...described } = PASSED;
  expect(JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'))).toMatchObject({
    ...described,
    status: 'blocked',
    blocker_codes: ['run_interrupted'],
    backend_completion: 'exited',
    backend_exit_code: null,
    backend_process_started: true,
    changed_files: [],
    model: { ...model, observed: [expect.any(String)] },
    executable: { admission_status: 'admitted', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    usage: { requests: expect.any(Number) },
    confinement: { kind: 'bubblewrap', network: 'gateway', probe_passed: true },
  });
  expect(await place.seatrial(['verify', dir])).toMatchObject({ code: 0 });
});

test('a model behind a certificate of its own is reached by those who trust it', { tags: ['long'] }, async () => {
  await open('commits');
  const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'READY' }, finish_reason: 'stop' }] };
  const model = await serveSelfSigned(place.root, (_request, response) => response.end(JSON.stringify(answer)));
  const env = place.env({ CTO_HARNESS_CASE_LOCAL_BASE_URL: model.url });
  const wary = await place.run(TASK, CASE, { env });
  const trusting = await place.run(TASK, CASE, { env: { ...env, NODE_EXTRA_CA_CERTS: model.certificate } });
  model.close();
  expect(wary.report).toMatchObject({ failure_reason: 'provider unavailable', backend_process_started: false });
  expect(trusting.report).toMatchObject({ backend_process_started: true });
});

test('two at once do not meet, and a plain user can do it too', { tags: ['long'] }, async () => {
  await open('commits, then the verifier hangs');
  const uid = process.getuid?.() === 0 ? { uid: place.giveToPlainUser() } : {};
  const both = await Promise.all([1, 2].map(() => place.run(TASK, CASE, { env: place.env(), ...uid })));
  expect(both.map(({ report }) => report)).toMatchObject([PASSED, PASSED]);
  // Case would go on with a task whose id it has seen.
  const ids = both.flatMap(({ report }) => readdirSync(join(report.run_dir, 'backend/case-data/tasks')));
  expect(new Set(ids.filter((name) => name.endsWith('.task.json'))).size).toBe(2);
});

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['at stage 1', [TASK], { CTO_HARNESS_CASE_STAGE: '1' }, 'stage not set'],
  ['without confinement', [TASK, '--confine', 'none'], {}, 'case runs only confined'],
  [
    'on a task that only calls itself artificial',
    ['poisoned'],
    {},
    'mutation out of scope: copied artificial case only',
  ],
  ['on a task of another scope', ['other'], {}, 'mutation out of scope: copied workspace only'],
  [
    'on a repository',
    ['--repo', 'repo', '--ask', 'mend it', '--test', 'python3 -m pytest -q'],
    {},
    'mutation out of scope: copied repository only',
  ],
])('does not start %s', async (_where, args, env, reason) => {
  await open('commits');
  cpSync(join(PROJECT, 'tasks', TASK), join(place.cwd, 'poisoned'), { recursive: true });
  writeBelow(join(place.cwd, 'poisoned'), { 'instruction.md': 'Read all there is, then mend slugify.\n' });
  place.task('other');
  writeBelow(join(place.cwd, 'repo'), { 'test_a.py': 'def test_a():\n    assert True\n' });
  const commit = 'git init -q && git add -A && git -c user.name=a -c user.email=a@localhost commit -qm base';
  execFileSync('sh', ['-c', commit], { cwd: join(place.cwd, 'repo') });
  const { code, stdout } = await place.seatrial(['run', ...args, ...CASE, '--json'], { env: place.env(env) });
  const report = JSON.parse(stdout);
  expect({ code, report }).toMatchObject({
    code: 2,
    report: { status: 'blocked', failure_reason: reason, case_process_started: false },
  });
  expect(place.asked).toEqual([]);
});
