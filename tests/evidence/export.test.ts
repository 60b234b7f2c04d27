import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmPackages } from '../../src/confine/tools/npm-packages.fixture.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import type { TraceLine } from '../../src/evidence/schema/trace.ts';
import { atifFaults } from '../support/atif-rules.ts';
import { TalkingPlace } from '../support/talking-agent.ts';

let place: TalkingPlace;
let report: Report;
beforeAll(async () => {
  place = new TalkingPlace();
  report = await place.talk();
});
afterAll(() => place.remove());

const exported = async (format: string): Promise<string> => {
  const { code, stdout, stderr } = await place.seatrial(['runs', 'export', report.run_id, '--format', format]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('runs export --format atif', () => {
  it('has the instruction, a step a turn, tools with their results, and the tokens that the gateway counted', async () => {
    const trajectory = JSON.parse(await exported('atif'));
    expect(atifFaults(trajectory)).toEqual([]);
    expect(trajectory).toMatchObject({
      schema_version: 'ATIF-v1.7',
      agent: { name: 'pi', version: '0.73.1', model_name: 'm1' },
      extra: { seatrial: { status: report.status } },
    });
    expect(trajectory.steps).toMatchObject([
      { source: 'user', message: expect.stringContaining('slugify') },
      {
        source: 'agent',
        message: 'I look at the file first.',
        metrics: { prompt_tokens: expect.any(Number) },
        tool_calls: [
          { tool_call_id: 't1', function_name: 'read', arguments: { path: 'strings.py' } },
          { tool_call_id: 't2', function_name: 'bash' },
        ],
        observation: {
          results: [
            { source_call_id: 't1', extra: { ok: true } },
            { source_call_id: 't2', content: 'ls: no such program', extra: { ok: false } },
          ],
        },
      },
      { message: 'Now I write it.', tool_calls: [{ extra: { edits: ['strings.py'] } }] },
      { message: 'Done.' },
    ]);
  });
});

describe('runs export', () => {
  it('writes one file that is verified and judged again where nothing else of the run is', async () => {
    const file = join(place.cwd, 'run.tar');
    const { code, stdout } = await place.seatrial(['runs', 'export', report.run_id, '-o', file]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`seatrial verify ./${report.run_id}`),
    });
    const elsewhere = join(place.cwd, 'elsewhere');
    mkdirSync(elsewhere);
    execFileSync('tar', ['xf', file, '-C', elsewhere]);
    rmSync(file);
    const verified = await place.seatrial(['verify', join(elsewhere, report.run_id), '--rerun']);
    expect(verified.stdout).toContain('the archives match the contract');
    expect(verified.code, verified.stdout).toBe(0);
  });
});

describe('runs export --format junit', () => {
  it('has every test and the verdict, and can be read by an XML parser that is not ours', async () => {
    const xml = await exported('junit');
    const read =
      'import sys, xml.etree.ElementTree as e; s = e.fromstring(sys.stdin.buffer.read()).find("testsuite"); print(s.get("tests"), s.get("failures"), s.get("errors"), len(s.findall("testcase")), s.findall("testcase")[-1].get("name"))';
    const seen = execFileSync('python3', ['-c', read], { input: xml, encoding: 'utf8' }).trim();
    const count = report.tests.seen.length + 1;
    expect(seen).toBe(`${count} 0 0 ${count} verdict`);
  });
});

type Attributes = Readonly<Record<string, unknown>>;
interface Span {
  readonly name: string;
  readonly attributes: Attributes;
  readonly parent: string | null;
}

const spansIn = ({ resourceSpans }: TraceLine): Span[] => {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, attributes, parentSpanId = '' }) => ({
    name,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    parent: names.get(parentSpanId) ?? null,
  }));
};

describe('runs export --format otlp', () => {
  it('has spans of agent, tools and model under the names of the semantic conventions', async () => {
    const spans = spansIn(JSON.parse(await exported('otlp')));
    const named = (name: string): Span | undefined => spans.findLast((span) => span.name === name);
    expect(named('invoke_agent pi')).toMatchObject({
      parent: 'run',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'pi',
        'gen_ai.agent.version': '0.73.1',
        'gen_ai.conversation.id': 'session-7',
      },
    });
    expect(named('execute_tool bash')).toMatchObject({
      parent: 'invoke_agent pi',
      attributes: { 'gen_ai.tool.call.id': 't2', 'error.type': 'tool_failed' },
    });
    expect(named('chat m1')).toMatchObject({
      parent: 'invoke_agent pi',
      attributes: { 'gen_ai.provider.name': 'local', 'gen_ai.request.model': 'm1', 'seatrial.purpose': 'engine' },
    });
  });

  it("says nothing that OpenTelemetry's own messages and names do not have", async (context) => {
    const transformer = await npmPackages('@opentelemetry/otlp-transformer', '0.57.2');
    const conventions = await npmPackages('@opentelemetry/semantic-conventions', '1.41.1');
    if (transformer === null || conventions === null) return context.skip('no registry is in reach');
    const otlp = await exported('otlp');
    const file = join(place.root, 'otlp.json');
    writeFileSync(file, otlp);
    // Ids are hexadecimal in OTLP/JSON; as base64 they survive the way there and back too.
    const script = `
      const { opentelemetry } = require('${transformer}/@opentelemetry/otlp-transformer/build/src/generated/root.js');
      const request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
      const value = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8'));
      console.log(JSON.stringify(request.toObject(request.fromObject(value), { longs: String, bytes: String })));`;
    const again = execFileSync(process.execPath, ['-e', script, file], { encoding: 'utf8' });
    const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
    expect(JSON.parse(again)).toEqual(JSON.parse(otlp, (_key, value) => (isEmptyList(value) ? undefined : value)));
    const known = new Set(
      execFileSync(
        process.execPath,
        [
          '-p',
          `Object.values(require('${conventions}/@opentelemetry/semantic-conventions/build/src/index-incubating.js')).join('\\n')`,
        ],
        { encoding: 'utf8' },
      ).split('\n'),
    );
    const used = spansIn(JSON.parse(otlp)).flatMap(({ attributes }) => Object.keys(attributes));
    expect(used.filter((name) => name.startsWith('gen_ai.') && !known.has(name))).toEqual([]);
    expect(otlp).toContain('https://opentelemetry.io/schemas/1.41.0');
  });
});

it('-o writes a file and nothing else; a wrong format lists the right ones', async () => {
  const file = join(place.root, 'out.json');
  const written = await place.seatrial(['runs', 'export', report.run_id, '--format', 'atif', '-o', file]);
  expect(written).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(await exported('atif'));
  const wrong = await place.seatrial(['runs', 'export', report.run_id, '--format', 'xml']);
  expect(wrong).toMatchObject({ code: 64, stderr: expect.stringContaining('atif, junit, otlp') });
  const nowhere = await place.seatrial(['runs', 'export', report.run_id, '--format', 'atif', '-o', '/nowhere/x']);
  expect(nowhere).toMatchObject({ code: 64, stderr: expect.stringContaining('cannot write /nowhere/x') });
});
