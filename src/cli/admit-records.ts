import { readFileSync } from 'node:fs';
import { inspectExecutable, temporaryDirs } from '../admission/inspect-executable.ts';
import type { Admissions } from '../admission/records.ts';
import { makeScratch, removeScratch } from '../confine/scratch.ts';
import { resolveTool } from '../confine/tools/toolchain.ts';
import { messageOf, SeatrialError, systemCode } from '../kernel/errors.ts';

export type Flags = Readonly<Record<string, unknown>>;

/** A record as the flags have it, still to be held against the schema. */
type Draft = Readonly<Record<string, unknown>>;

const ON_PATH = { path: process.env['PATH'] ?? '', cacheDir: null };

export async function draftSource(flags: Flags): Promise<Draft> {
  requireFlags(flags, ['engine', 'id', 'url', 'license']);
  const { commit = null, tag = null, url, discoveryOnly } = flags;
  const why = discoveryOnly ?? null;
  return {
    kind: 'source',
    engine: flags['engine'],
    id: flags['id'],
    url,
    commit,
    tag,
    other_ids: listOf(flags['otherId']).map((text) => ({ id: text.split('=')[0], note: afterSign(text) })),
    previous_ids: [],
    license_note: flags['license'],
    retrieved_at: flags['retrieved'] ?? new Date().toISOString().slice(0, 10),
    retrieval_command: flags['retrievalCommand'] ?? `git clone ${String(url)}`,
    integrity:
      flags['sha256'] === undefined
        ? { source_lock: flags['sourceLock'] ?? `git:${String(commit ?? tag)}` }
        : { sha256: flags['sha256'] },
    allowed_execution_mode: flags['mode'] ?? 'as an executable that its user supplies, confined',
    protected_source_boundary: flags['boundary'] ?? 'never changed, built or shown to an engine by Seatrial',
    build_command: flags['build'] ?? null,
    build_output: flags['buildOutput'] ?? null,
    required_tools: await Promise.all(listOf(flags['needs']).map(lookForTool)),
    discovery_only: why !== null,
    discovery_note: why,
  };
}

export function draftModel(flags: Flags): Draft {
  requireFlags(flags, ['engine', 'provider', 'model', 'wire']);
  const { engine, provider, model, wire } = flags;
  const { inputPrice, outputPrice } = flags;
  if ((inputPrice === undefined) !== (outputPrice === undefined))
    throw new SeatrialError('usage', '--input-price and --output-price go together');
  return {
    kind: 'model',
    engine,
    provider,
    model,
    runtime: { provider: flags['runtimeProvider'] ?? provider, model: flags['runtimeModel'] ?? model },
    wire,
    endpoint_variable: flags['endpointVariable'] ?? null,
    key_variable: flags['keyVariable'] ?? null,
    auth_bridge:
      flags['authBridge'] === undefined ? null : { name: flags['authBridge'], evidence: flags['authBridgeEvidence'] },
    prices: inputPrice === undefined ? null : { input_per_mtok: inputPrice, output_per_mtok: outputPrice },
  };
}

/** Looks at the program itself: its record is never taken from a file. */
export async function draftExecutable(path: string, flags: Flags, admissions: Admissions): Promise<Draft> {
  requireFlags(flags, ['engine']);
  const source = flags['source'] === undefined ? null : requireSource(flags, admissions);
  const scratch = makeScratch();
  try {
    const temporary = temporaryDirs(process.env);
    const found = await inspectExecutable(path, { scratch, search: ON_PATH, temporary });
    return {
      kind: 'executable',
      engine: flags['engine'],
      sha256: found.sha256,
      size: found.bytes,
      path: found.path,
      source: source?.id ?? null,
      source_commit: flags['sourceCommit'] ?? found.commit ?? source?.commit ?? null,
      identity: found.said,
    };
  } finally {
    await removeScratch(scratch);
  }
}

function requireSource({ source, engine }: Flags, { records }: Admissions) {
  for (const { record } of records)
    if (record.kind === 'source' && record.id === source && record.engine === engine) return record;
  throw new SeatrialError(
    'usage',
    `no record admits a source ${String(source)} of ${String(engine)}: record it first with \`seatrial admit source\``,
  );
}

export function readDraft(file: string, kind: string): Draft {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${systemCode(error) ?? messageOf(error)})`;
    throw new SeatrialError('usage', `${file} ${why}: give a file with a record of kind ${kind}`, error);
  }
  const draft: Draft = typeof value === 'object' && value !== null ? { ...value } : {};
  if (draft['kind'] !== kind)
    throw new SeatrialError('usage', `${file} holds no record of kind ${kind}: see docs/admission.md for one`);
  return draft;
}

function requireFlags(flags: Flags, names: readonly string[]): void {
  const missing = names.filter((name) => flags[name] === undefined);
  if (missing.length > 0)
    throw new SeatrialError('usage', `${missing.map((name) => `--${name}`).join(', ')} must be given; see --help`);
}

async function lookForTool(name: string) {
  const found = await resolveTool(name, ON_PATH);
  return { name, present: found !== null, version: found === null ? null : found.tool.version };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** `<id>=<note>` */
const afterSign = (text: string): string => text.slice(text.indexOf('=') + 1);
