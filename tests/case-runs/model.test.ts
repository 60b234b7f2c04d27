import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SlugifyScript } from '../../src/engines/case/self-test/slugify.ts';
import { CasePlace, PROGRAM } from '../support/case-place.ts';
import { PROJECT, writeBelow } from '../support/seatrial.ts';

const CASE = ['--engine', 'case'];
const TASK = 'r1-string-slugify';

let place: CasePlace;
afterEach(() => place.leave());
const open = async (script: SlugifyScript): Promise<CasePlace> => (place = await CasePlace.open(script));

/** What a person sees of a run, beside its report. */
async function seen(env: Readonly<Record<string, string>>, task = TASK) {
  const { code, stdout } = await place.seatrial(['run', task, ...CASE], { env: place.env(env) });
  return { code, stdout };
}

test('an endpoint that hangs blocks within the time limit', async () => {
  await open('hangs');
  const { code, report } = await place.run(TASK, CASE, { env: place.env({ CTO_HARNESS_CASE_TIMEOUT_SECONDS: '2' }) });
  expect({ code, report }).toMatchObject({
    code: 2,
    report: { failure_reason: 'provider unavailable', case_process_started: false },
  });
}, 60_000);

test("the limit may be higher than the task's, for slow models", async () => {
  await open('commits, then the verifier hangs');
  const task = join(place.cwd, 'short');
  cpSync(join(PROJECT, 'tasks', TASK), task, { recursive: true });
  const toml = readFileSync(join(task, 'task.toml'), 'utf8').replace(/timeout_sec = \d+/, 'timeout_sec = 0.2');
  writeBelow(task, { 'task.toml': toml });
  await place.admitTask(task);
  const { report } = await place.run(task, CASE, { env: place.env({ CTO_HARNESS_CASE_TIMEOUT_SECONDS: '120' }) });
  expect(report).toMatchObject({ status: 'pass', backend_completion: 'completed_by_harness' });
});

test('answers of another model fail the run', async () => {
  await open('is another model');
  const { code, report } = await place.run(TASK, CASE, { env: place.env() });
  expect({ code, report }).toMatchObject({
    code: 1,
    report: { status: 'fail', failure_reason: 'another model answered: another-model', case_process_started: true },
  });
});

test('a server that calls the model by another name serves once that name is admitted', async () => {
  await open('is served under another name');
  const first = await seen({});
  expect(first.code).toBe(2);
  expect(first.stdout.replace(/\s+/g, ' ')).toMatch(
    /another model is served: \/models\/qwen\.gguf .*next: .*--served-as <name> --update/,
  );
  const flags =
    '--engine case --provider qwen-local --model qwen3.6-35b-a3b --runtime-provider openai --wire openai-chat';
  const variables = '--endpoint-variable CTO_HARNESS_CASE_LOCAL_BASE_URL --key-variable QWEN_LOCAL_KEY';
  const admit = [
    'admit',
    'model',
    ...`${flags} ${variables} --max-output-tokens 9000 --update --yes --json`.split(' '),
  ];
  const { stdout } = await place.seatrial(admit, { env: place.env() });
  expect(JSON.parse(stdout).record.served_as).toEqual(['qwen3.6-35b-a3b', '/models/qwen.gguf']);
  const { report } = await place.run(TASK, CASE, { env: place.env() });
  expect(report).toMatchObject({ status: 'pass', model: { observed: ['/models/qwen.gguf'] } });
  const models = readFileSync(join(report.run_dir, 'backend/case-data/pi-agent/models.json'), 'utf8');
  expect(JSON.parse(models).providers.openai.models).toEqual([{ id: 'qwen3.6-35b-a3b', maxTokens: 9000 }]);
});

test('what keeps Case from its model reads differently each time', async () => {
  await open('is out of order');
  const url = 'CTO_HARNESS_CASE_LOCAL_BASE_URL';
  const said = async (value: string): Promise<string> => (await seen({ [url]: value })).stdout.replace(/\s+/g, ' ');
  expect(await said('')).toContain(
    `check "endpoint": ${url} (the endpoint) is not set next: set ${url} to the address`,
  );
  expect(await said('http://127.0.0.1:9/v1')).toMatch(
    /check "response shape": the provider refused the connection next: start the/,
  );
  expect(await said('http://user:canary-word@127.0.0.1:9/v1')).toMatch(/holds a user name or password; take it out/);
  expect(await said('localhost:8000')).toMatch(/must begin with http/);
  expect(await said(place.url)).toMatch(
    /check "response shape": the provider answered with HTTP 500 next: check that the address/,
  );
  const missing = await seen({ CTO_HARNESS_CASE_BIN: '/nonexistent/ca' });
  expect(missing.stdout).toMatch(
    /check "executable": \/nonexistent\/ca does not exist\n +next: set CTO_HARNESS_CASE_BIN to/,
  );
});

test('a refusal by a late check is in the eligibility decision too', async () => {
  await open('is out of order');
  const { report } = await place.run(TASK, CASE, { env: place.env() });
  const decision = JSON.parse(readFileSync(join(report.run_dir, 'eligibility.json'), 'utf8'));
  expect(decision).toMatchObject({
    selected_backend: null,
    reasons: expect.arrayContaining(['provider unavailable: the provider answered with HTTP 500']),
    escalation_path: expect.stringContaining('check that the address has the right path'),
  });
  expect(await place.seatrial(['verify', report.run_dir])).toMatchObject({ code: 0 });
});

test('a provider without a model is reported', async () => {
  await open('commits');
  const { report } = await place.run(TASK, CASE, { env: place.env({ CTO_HARNESS_CASE_MODEL: '' }) });
  expect(report).toMatchObject({ failure_reason: 'model not admitted', case_model_provider: 'qwen-local' });
  expect(report.case_model).toBeUndefined();
});

test('a program in a temporary directory does not run', async () => {
  await open('commits');
  const copy = join(place.root, 'ca');
  cpSync(place.env()['CTO_HARNESS_CASE_BIN'] ?? '', copy);
  const { code, stdout } = await seen({ CTO_HARNESS_CASE_BIN: copy });
  expect(code).toBe(2);
  expect(stdout.replace(/\s+/g, ' ')).toContain('is in the temporary directory');
});

test('a program for which there is no room is named, with what to do', async () => {
  await open('commits');
  const bytes = statSync(PROGRAM).size;
  const through = ['prlimit', `--fsize=${Math.floor(bytes / 2)}`];
  const { code, report } = await place.run(TASK, CASE, { env: place.env(), through });
  expect([code, report.failure_reason]).toEqual([
    2,
    expect.stringMatching(/ca \(\d+ MB\) could not be copied to .*: the limit on file sizes$/),
  ]);
});
