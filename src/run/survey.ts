import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { Reason } from '../evidence/reasons/reason.ts';
import { Refused } from '../evidence/reasons/refused.ts';
import { DEFAULT_LIMITS } from '../confine/limits/limits.ts';
import { openConfinementFor } from './confinement.ts';
import { removeScratch } from '../confine/remove-scratch.ts';
import { makeCommandScratch } from '../confine/scratch.ts';
import type { BaseRecord } from '../evidence/schema/base-record.ts';
import type { Provision } from '../evidence/schema/report.ts';
import { Masker } from '../evidence/secrets/mask.ts';
import { packTree } from '../task/tree/archive.ts';
import { TestBench } from './judge/base/bench.ts';
import { findRecord, keepRecord, keyOfRecord, type RecordKey } from './judge/base/store.ts';
import { takeBaseRecord } from './judge/base/take.ts';
import { readTree } from './judge/change/trees/base-tree.ts';
import { type DecidingFiles, findDecidingFiles } from './judge/change/classify-change.ts';
import { keepScripts } from './judge/command/base-files.ts';
import { provisionTree } from './provision/provision.ts';
import { findToolchain, toolchainDigests } from './toolchain.ts';
import type { RunEnvironment } from './request.ts';

export interface SurveyRequest {
  readonly environment: RunEnvironment;
  /** A copy of the repository's tree. */
  readonly filesDir: string;
  readonly testCommand: string;
  readonly setupCommand: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** How a repository's tests stand before any change, or why they cannot be recorded. */
export type Survey =
  | {
      readonly kind: 'recorded';
      readonly record: BaseRecord;
      readonly recordKey: RecordKey;
      readonly provision: Provision | null;
      readonly deciding: DecidingFiles;
      /** Directories of packages that are found only once they are installed, or by PYTHONPATH. */
      readonly packages: readonly string[];
      /** What the tests printed; null: the record was known already. */
      readonly output: string | null;
    }
  | { readonly kind: 'unusable'; readonly reasons: readonly Reason[]; readonly output: string };

/** Sets a repository up and runs its tests, confined, as a run does before its engine starts. */
export async function surveyRepository(request: SurveyRequest): Promise<Survey> {
  const { environment, filesDir, signal, setupCommand, testCommand } = request;
  const scratch = makeCommandScratch('survey');
  const mask = new Masker(environment.secrets);
  const logs = join(scratch, 'logs');
  try {
    const confinement = await openConfinementFor(environment, scratch);
    const archive = join(scratch, 'base.tar');
    const { sha256 } = packTree(filesDir, archive);
    const toolchain = await findToolchain(testCommand, filesDir, environment.tools);
    const { products, facts, dirty, programs } = await provisionTree(
      {
        confinement,
        limits: DEFAULT_LIMITS,
        signal,
        clock: environment.clock,
        cache:
          environment.provision.cacheDir === null
            ? { kind: 'none' }
            : { kind: 'fill', dir: environment.provision.cacheDir, key: environment.key },
        tools: environment.tools,
        programs: toolchain,
        env: environment.provision.env,
        files: environment.provision.files,
        variables: {},
        scratch,
        logs,
        mask: mask.with(environment.provision.secrets),
        onLine: request.onLine,
      },
      { archive, sha256, dir: filesDir },
      setupCommand,
    );
    if (dirty.length > 0)
      return { kind: 'unusable', reasons: [reason('setup_changes_files', { paths: dirty.join(', ') })], output: '' };
    const recordKey: RecordKey = {
      baseSha256: sha256,
      testCommand,
      productsSha256: facts?.products_sha256 ?? null,
      env: products?.env ?? {},
      confine: confinement.kind,
      path: environment.tools.path,
      programs: toolchainDigests(programs),
    };
    const key = keyOfRecord(recordKey);
    const bench = new TestBench({
      sealedTests: null,
      testCommand,
      scriptsIn: keepScripts(filesDir, join(scratch, 'scripts')),
      baseTree: filesDir,
      isolation: 'in_process',
      timeoutMs: request.timeoutMs,
      nonce: randomBytes(16).toString('hex'),
      scratch: join(scratch, 'bench'),
      confinement,
      mask,
      tools: environment.tools,
      readOnly: products?.mounts ?? [],
      env: products?.env ?? {},
      programs,
      signal,
      products,
    });
    const known = findRecord(environment.tools.cacheDir, key);
    const taken = known ?? (await takeBaseRecord(bench, filesDir, { key, testCommand }));
    if ('taken' in taken && !taken.taken)
      return { kind: 'unusable', reasons: taken.reasons, output: taken.result.output };
    const record = 'taken' in taken ? taken.record : taken;
    if (known === null) keepRecord(environment.tools.cacheDir, record);
    const tree = readTree(filesDir);
    return {
      kind: 'recorded',
      record,
      recordKey,
      provision: facts,
      deciding: await findDecidingFiles(record, tree),
      packages: packagesBelowSrc(tree.paths, record.runner),
      output: 'taken' in taken ? taken.result.output : null,
    };
  } catch (error) {
    // The setup failed, or a program that it needs is not installed.
    if (!(error instanceof Refused)) throw error;
    return { kind: 'unusable', reasons: error.reasons, output: setupOutput(logs) };
  } finally {
    await removeScratch(scratch);
  }
}

/**
 * Keeps the record of a survey for a tree that has `path` added or changed, so that it need not be taken again. Does nothing if the
 * tests read that path, or looked for it: then their results may differ.
 */
export function keepRecordWith(
  path: string,
  {
    filesDir,
    survey: { record, recordKey },
    cacheDir,
  }: {
    readonly filesDir: string;
    readonly survey: Extract<Survey, { kind: 'recorded' }>;
    readonly cacheDir: string | null;
  },
): void {
  const [top = path] = path.split('/');
  const used = [...record.read, ...record.asked, ...record.missing, ...record.listed, ...record.written];
  if (cacheDir === null || used.some((one) => one === top || one.startsWith(`${top}/`))) return;
  const scratch = makeCommandScratch('survey');
  try {
    const { sha256: baseSha256 } = packTree(filesDir, join(scratch, 'base.tar'));
    keepRecord(cacheDir, { ...record, key: keyOfRecord({ ...recordKey, baseSha256 }) });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function packagesBelowSrc(paths: readonly string[], runner: string): string[] {
  if (!['pytest', 'unittest', 'doctest'].includes(runner)) return [];
  return paths.flatMap((path) => /^(src\/[^/]+)\/__init__\.py$/.exec(path)?.[1] ?? []);
}

function setupOutput(logs: string): string {
  const files = ['setup.stdout.log', 'setup.stderr.log'].map((name) => join(logs, name));
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
}
