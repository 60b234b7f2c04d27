import { readFileSync } from 'node:fs';
import { readSettings } from '../../environment/settings.ts';
import { shippedOrOwn } from '../../shipped-files.ts';
import { inspectExecutable } from '../../../admission/inspect-executable.ts';
import { temporaryDirs } from '../../../admission/temporary-dirs.ts';
import type { Admissions } from '../../../admission/records/read.ts';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import { resolveTool } from '../../../confine/tools/toolchain.ts';
import { engineNamed } from '../../../engines/list.ts';
import { messageOf, SeatrialError, systemCode } from '../../../kernel/errors.ts';
import { policyOf } from '../../../admission/policy.ts';
import { bridgeSuite } from '../../../engines/self-test.ts';
import type { DecisionFlags, ExecutableFlags, ModelFlags, SourceFlags, TaskFlags } from './admit-options.ts';
import { ARTIFICIAL } from '../../../admission/stage-scopes.ts';
import { contractDigest, contractOf } from '../../../task/contract-of.ts';
import { findTask, readTask } from '../../../task/task-directory.ts';

/** A record as the flags describe it, not yet validated. */
export type Draft = Readonly<Record<string, unknown>>;

export const ON_PATH = { path: process.env['PATH'] ?? '', cacheDir: null };

export async function draftSource(flags: SourceFlags): Promise<Draft> {
  requireFlags(flags, ['engine', 'id', 'url', 'license']);
  const { engine, id, url, commit = null, tag = null, discoveryOnly = null } = flags;
  return {
    kind: 'source',
    engine,
    id,
    url,
    commit,
    tag,
    other_ids: (flags.otherId ?? []).map((text) => ({ id: text.split('=')[0], note: afterSign(text) })),
    previous_ids: [],
    license_note: flags.license,
    retrieved_at: flags.retrieved ?? new Date().toISOString().slice(0, 10),
    retrieval_command: flags.retrievalCommand ?? `git clone ${url}`,
    integrity:
      flags.sha256 === undefined
        ? { source_lock: flags.sourceLock ?? `git:${commit ?? tag}` }
        : { sha256: flags.sha256 },
    allowed_execution_mode: flags.mode ?? 'as an executable that its user supplies, confined',
    protected_source_boundary: flags.boundary ?? 'never changed, built or shown to an engine by Seatrial',
    build_command: flags.build ?? null,
    build_output: flags.buildOutput ?? null,
    required_tools: await Promise.all((flags.needs ?? []).map(lookForTool)),
    discovery_only: discoveryOnly !== null,
    discovery_note: discoveryOnly,
  };
}

/** The flags of `admit model` that describe the record. */
type DescribedModel = Omit<ModelFlags, keyof DecisionFlags | 'from' | 'ask'>;

export function draftModel(flags: DescribedModel): Draft {
  requireFlags(flags, ['engine', 'provider', 'model', 'wire']);
  const { engine, provider = '', model, wire, login, inputPrice, outputPrice } = flags;
  if ((inputPrice === undefined) !== (outputPrice === undefined))
    throw new SeatrialError('usage', 'give --input-price and --output-price together, or neither');
  return {
    kind: 'model',
    engine,
    provider,
    model,
    runtime: { provider: flags.runtimeProvider ?? provider, model: flags.runtimeModel ?? model },
    wire,
    endpoint_variable: flags.endpointVariable ?? null,
    key_variable: flags.keyVariable ?? null,
    ...(login === undefined ? {} : { login }),
    // The report of the check is the evidence; this says where to look for it.
    auth_bridge:
      login === undefined || policyOf(engine ?? '')?.authGaps[provider] === undefined
        ? null
        : { name: `login of ${login} through the gateway`, evidence: `check ${bridgeSuite(provider)}` },
    ...(flags.helper === undefined ? {} : { helpers: flags.helper }),
    ...(flags.servedAs === undefined ? {} : { served_as: flags.servedAs }),
    ...(flags.maxOutputTokens === undefined ? {} : { max_output_tokens: flags.maxOutputTokens }),
    prices: inputPrice === undefined ? null : { input_per_mtok: inputPrice, output_per_mtok: outputPrice },
  };
}

/** Inspects the program itself; its record is never read from a file. */
export async function draftExecutable(path: string, flags: ExecutableFlags, admissions: Admissions): Promise<Draft> {
  requireFlags(flags, ['engine']);
  const engine = flags.engine ?? '';
  const identify = engineNamed(engine, readSettings(process.cwd()).acpProfiles)?.identify ?? null;
  if (identify === null)
    throw new SeatrialError('usage', `${engine} is no engine with a program of its own; see \`seatrial engines\``);
  const source = flags.source === undefined ? null : requireSource(flags, admissions);
  const scratch = makeScratch();
  try {
    const temporary = temporaryDirs(process.env);
    const found = await inspectExecutable(path, { identify, engine, scratch, search: ON_PATH, temporary });
    return {
      kind: 'executable',
      engine: flags.engine,
      sha256: found.sha256,
      size: found.bytes,
      path: found.path,
      source: source?.id ?? null,
      source_commit: builtFrom(found.commit, flags),
      identity: found.said,
    };
  } finally {
    await removeScratch(scratch);
  }
}

/** The digest is that of the contract which a run of the directory would have. */
export async function draftTask(dir: string, flags: TaskFlags): Promise<Draft> {
  requireFlags(flags, ['engine']);
  const task = readTask(findTask(dir, process.cwd()));
  if (task.terms.mutation !== ARTIFICIAL)
    throw new SeatrialError(
      'usage',
      `${task.dir} does not call itself artificial; add mutation = "${ARTIFICIAL}" to [seatrial] in its task.toml`,
    );
  const sha256 = contractDigest(contractOf(task));
  const { dir: path, name, terms } = task;
  return { kind: 'task', engine: flags.engine, task: name, sha256, path, mutation: terms.mutation };
}

/** A source's pin says nothing about what a program was built from. */
function builtFrom(commit: string | null, { source, sourceCommit }: ExecutableFlags): string | null {
  const known = sourceCommit ?? commit;
  if (source === undefined || known !== null) return known;
  throw new SeatrialError(
    'usage',
    `nothing shows which commit of ${source} it was built from; give --source-commit <id>, or admit it inside its work tree`,
  );
}

function requireSource({ source, engine }: ExecutableFlags, { records }: Admissions) {
  for (const { record } of records)
    if (record.kind === 'source' && record.id === source && record.engine === engine) return record;
  throw new SeatrialError(
    'usage',
    `no record of a source ${source} of ${engine}; record it first with \`seatrial admit source\``,
  );
}

/** A source as a file describes it; which tools are installed is looked up here, whatever the file says. */
export async function readSourceDraft(file: string): Promise<Draft> {
  const draft = readDraft(file, 'source');
  const tools = Array.isArray(draft['required_tools']) ? draft['required_tools'] : [];
  const names = tools.flatMap((tool: { name?: unknown }) => (typeof tool?.name === 'string' ? [tool.name] : []));
  return { ...draft, required_tools: await Promise.all(names.map(lookForTool)) };
}

export function readDraft(file: string, kind: string): Draft {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(shippedOrOwn('admissions', file), 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${systemCode(error) ?? messageOf(error)})`;
    throw new SeatrialError('usage', `${file} ${why}; give a file with a record of kind ${kind}`, error);
  }
  const draft: Draft = typeof value === 'object' && value !== null ? { ...value } : {};
  if (draft['kind'] !== kind)
    throw new SeatrialError('usage', `${file} contains no record of kind ${kind}; docs/admission.md shows one`);
  return draft;
}

function requireFlags<F extends object>(flags: F, names: readonly (keyof F & string)[]): void {
  const missing = names.filter((name) => flags[name] === undefined);
  if (missing.length > 0)
    throw new SeatrialError('usage', `${missing.map((name) => `--${name}`).join(', ')} must be given; see --help`);
}

async function lookForTool(name: string) {
  const found = await resolveTool(name, ON_PATH);
  return { name, present: found !== null, version: found === null ? null : found.tool.version };
}

/** `<id>=<note>` */
const afterSign = (text: string): string => text.slice(text.indexOf('=') + 1);
