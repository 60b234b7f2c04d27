import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryDirOf, temporaryDirs } from '../../src/admission/temporary-dirs.ts';
import { digestFile } from '../../src/evidence/storage/file-tree.ts';
import { sampleExecutable, sampleModel } from '../../src/admission/sample-records.fixture.ts';
import { SLUGIFY_SCRIPTS, type SlugifyScript } from '../../src/engines/case/self-test/slugify.ts';
import type { ModelScript } from '../../src/gateway/scripted/schema.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { earnStageOne } from './earned.ts';
import { PROJECT, Place, writeBelow } from './seatrial.ts';

/** The simulator, or the program that the caller of the tests names; outside every temporary directory, where none would run. */
export const PROGRAM = lasting(process.env['CTO_HARNESS_CASE_BIN'] ?? join(PROJECT, 'dist/ca'));

/** The file itself, or a copy where also a plain user can read it, for a checkout in a temporary directory. */
function lasting(program: string): string {
  if (temporaryDirOf(program, temporaryDirs(process.env)) === null) return program;
  const caches = process.getuid?.() === 0 ? '/var/cache' : join(homedir(), '.cache');
  const copy = join(caches, 'seatrial-tests', digestFile(program).sha256, 'ca');
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  if (!existsSync(copy)) {
    cpSync(program, `${copy}.${process.pid}`);
    renameSync(`${copy}.${process.pid}`, copy);
  }
  return copy;
}

export const KEY = 'canary-model-key-9b1f4e6c2d';

/** A person's machine with Case, an admitted local model that a script speaks for, and nothing else. */
export class CasePlace extends Place {
  readonly #model: ScriptedModel;

  private constructor(model: ScriptedModel) {
    super();
    this.#model = model;
    const bytes = readFileSync(PROGRAM);
    const executable = {
      ...sampleExecutable,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      path: PROGRAM,
      source: null,
      source_commit: null,
    };
    const qwen = {
      ...sampleModel,
      key_variable: 'QWEN_LOCAL_KEY',
      prices: { input_per_mtok: 1, output_per_mtok: 2 },
    };
    writeBelow(join(this.cwd, '.seatrial/admissions'), {
      'ca.json': JSON.stringify(executable),
      'CTO-CASE-MODEL-PROVIDER-ADMISSION.qwen-local-qwen3.6-35b-a3b.json': JSON.stringify(qwen),
    });
  }

  static async open(
    script: SlugifyScript | ModelScript,
    stages: 'stage 1 earned' | 'none earned' = 'stage 1 earned',
  ): Promise<CasePlace> {
    const model = await startScriptedModel(typeof script === 'string' ? SLUGIFY_SCRIPTS[script] : script);
    const place = new CasePlace(model);
    if (stages === 'stage 1 earned') earnStageOne(place, PROGRAM);
    return place;
  }

  /** Admits a task directory as artificial. */
  async admitTask(dir: string): Promise<void> {
    const { code, stderr } = await this.seatrial(['admit', 'task', dir, '--engine', 'case', '--yes']);
    if (code !== 0) throw new Error(stderr);
  }

  get url(): string {
    return this.#model.url;
  }

  get asked(): ScriptedModel['requests'] {
    return this.#model.requests;
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      CTO_HARNESS_ALLOW_CASE: '1',
      CTO_HARNESS_CASE_STAGE: '2',
      CTO_HARNESS_CASE_BIN: PROGRAM,
      CTO_HARNESS_CASE_MODEL_PROVIDER: 'qwen-local',
      CTO_HARNESS_CASE_MODEL: 'qwen3.6-35b-a3b',
      CTO_HARNESS_CASE_LOCAL_BASE_URL: this.url,
      QWEN_LOCAL_KEY: KEY,
      ...more,
    };
  }

  /** From now on there is no model. */
  closeModel(): Promise<void> {
    return this.#model.close();
  }

  async leave(): Promise<void> {
    await this.#model.close();
    this.remove();
  }
}
