import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npmPackages } from '../../src/confine/tools/npm-packages.fixture.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';
import { WORK } from '../../src/engines/conformance/behaviours.fixture.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { LastingPlace } from '../support/lasting.ts';
import { readReport } from '../support/seatrial.ts';

/** Agents as people would run them. */
const AGENTS = [
  ['qwen', '@qwen-code/qwen-code', '0.15.10', 'm1'],
  ['gemini', '@google/gemini-cli', '0.61.0', 'gemini-2.5-flash'],
  ['acp:qwen', '@qwen-code/qwen-code', '0.15.10', 'm1'],
] as const;

const KEY = 'canary-key-of-a-real-program';
const place = new LastingPlace();
let model: ScriptedModel;
beforeAll(async () => {
  const command = `${WORK.solves}\nprintf 'WORK-%s\\n' DONE`;
  model = await startScriptedModel({
    turns: [
      { when: 'Answer with the single word READY.', text: 'READY' },
      { when: 'WORK-DONE', text: 'Created the fix.' },
      { tool_calls: [{ name: 'run_shell_command', arguments: { command, is_background: false } }] },
    ],
  });
});
afterAll(async () => {
  await model.close();
  place.remove();
});

async function run(engine: string, env: Readonly<Record<string, string>>, ...flags: string[]): Promise<Report> {
  const { stderr } = await place.lasting(['run', 'r1-string-slugify', '--engine', engine, ...flags], { env });
  const latest = place.runDirs().toSorted().at(-1);
  if (latest === undefined) throw new Error(stderr);
  return readReport(join(place.runs, latest));
}

it.each(someOf(AGENTS))(
  '%s passes in the sandbox against a scripted model, and again without it',
  async (engine, name, version, modelName) => {
    const packages = await npmPackages(name, version);
    if (packages === null) throw new Error(`${name} ${version} cannot be installed: no npm registry is in reach`);
    const dir = join(place.cwd, name.replace('/', '-'));
    cpSync(packages, join(dir, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    const PATH = `${place.seen(join(dir, 'node_modules/.bin'))}:${process.env['PATH']}`;
    const env = { PATH, MODEL_URL: model.url, MODEL_KEY: KEY };
    const flags = ['--endpoint-variable', 'MODEL_URL', '--key-variable', 'MODEL_KEY', '--no-ask', '--yes'];
    const admitted = await place.lasting(['admit', 'engine', engine, '--model', `local/${modelName}`, ...flags], {
      env,
    });
    expect([admitted.code, admitted.stderr]).toEqual([0, '']);
    const first = await run(engine, env);
    expect(first.status, first.blockers.join(', ')).toBe('pass');
    const asked = model.requests.length;
    const again = await run(engine, { PATH }, '--replay', first.run_id);
    expect([again.status, patchOf(again)], again.blockers.join(', ')).toEqual(['pass', patchOf(first)]);
    expect(again.markers).toContain('backend/model-replayed.txt');
    expect(model.requests).toHaveLength(asked);
    for (const { entry, bytes } of filesBelow(place.runs)) {
      expect(bytes.includes(KEY), entry).toBe(false);
      expect(bytes.includes(new URL(model.url).host), entry).toBe(false);
    }
  },
  600_000,
);

const patchOf = ({ run_id: runId }: Report): string => readFileSync(join(place.runs, runId, 'patch.diff'), 'utf8');

function filesBelow(dir: string): { readonly entry: string; readonly bytes: Buffer }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ entry: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }));
}
