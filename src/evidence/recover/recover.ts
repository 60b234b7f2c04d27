import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf, systemCode } from '../../kernel/errors.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { type ExamineTree, type Finished, finishInterrupted } from './finish.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { appendToLedger, ledgerHead, ledgerPath, readLedger } from '../bundle/ledger.ts';
import {
  dropLiveEntry,
  liveDir,
  liveRunIds,
  type ProcessTable,
  readLiveEntry,
  systemProcesses,
} from '../bundle/running.ts';
import { removeTree } from '../storage/remove-tree.ts';
import { withLock } from '../storage/lock.ts';
import { MANIFEST_FILE } from '../bundle/manifest.ts';
import { findLink, refuseLinks } from '../storage/no-follow.ts';
import { eachRun, isRunning, type RunRecord } from '../bundle/runs.ts';
import { recordRun } from '../bundle/seal.ts';
import type { EngineFields } from '../report/reduce.ts';
import type { RunEvent } from '../schema/events.ts';
import type { Report } from '../schema/report.ts';
import { digestFile } from '../storage/file-tree.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';

/**
 * `sealed`: an interrupted run now has a final report. `recorded`: a sealed run was missing from the ledger. `cleaned`:
 * leftovers of a dead run were removed. `left`: recovery failed; `detail` says why.
 */
export interface Recovery {
  readonly run_id: string;
  readonly did: 'sealed' | 'recorded' | 'cleaned' | 'left';
  readonly detail: string;
}

export interface RecoverOptions {
  readonly key: HarnessKey;
  readonly clock: Clock;
  readonly processes?: ProcessTable;
  /** Writes the rendered reports (report.md, report.html) before sealing. */
  readonly describe?: (bundle: Bundle, report: Report, events: readonly RunEvent[]) => void;
  /** If absent, no tree is examined. */
  readonly examine?: ExamineTree;
  /** The report fields that only reports of this engine have. */
  readonly engineFields?: (engine: string) => EngineFields | undefined;
}

/** Only directories with a scratch name are removed: an entry is a file, and a repository could have planted it. */
const SCRATCH_NAME = /^seatrial-[0-9a-f]{8}$/;

/** Finishes what interrupted runs left behind. Never touches a running run, and is idempotent. */
export async function recoverRuns(runsDirectory: string, options: RecoverOptions): Promise<readonly Recovery[]> {
  const runsDir = resolve(runsDirectory);
  if (!existsSync(runsDir)) return [];
  refuseLinks(runsDir, liveDir(runsDir), ledgerPath(runsDir));
  return withLock(join(runsDir, '.recover.lock'), async () => {
    const processes = options.processes ?? systemProcesses;
    await appendToLedger(runsDir, options.clock, []);
    const stale = liveRunIds(runsDir).filter((runId) => !isRunning(runsDir, runId, processes));
    const done: Recovery[] = [];
    const unfinished = new Set<string>();
    const recorded = new RecordedRuns(runsDir);
    for (const run of eachRun(runsDir, processes)) {
      const attempt = await recoverRun(runsDir, run, recorded, options).catch((error: unknown) =>
        later(run, messageOf(error)),
      );
      if (attempt === null) continue;
      const { again, ...recovery } = attempt;
      done.push(recovery);
      if (again === true) unfinished.add(run.runId);
    }
    // The next call needs the contents of their scratch directories.
    const over = stale.filter((runId) => !unfinished.has(runId));
    const kept = (await Promise.all(over.map((runId) => removeScratch(runsDir, runId)))).flat();
    for (const runId of over) dropLiveEntry(runsDir, runId);
    removeStaged(runsDir, processes);
    const handled = new Set([...done, ...kept].map(({ run_id }) => run_id));
    const cleaned = over.filter((runId) => !handled.has(runId)).map((run_id) => ({ run_id, ...CLEANED }));
    return [...done, ...kept, ...cleaned];
  });
}

const CLEANED = { did: 'cleaned', detail: 'removed the leftovers of a dead process' } as const;

const CHANGED_SINCE = 'sealed according to the ledger, but this directory is not sealed: it was changed';

/** `again`: a later call may succeed, using the same scratch directory. */
type Attempt = Recovery & { readonly again?: true };

const later = ({ runId }: RunRecord, detail: string): Attempt => ({
  run_id: runId,
  did: 'left',
  detail,
  again: true,
});

/** The runs that the ledger knows. Others may append to it at any time, so it is read again where it has grown. */
class RecordedRuns {
  readonly #runsDir: string;
  #ids: ReadonlySet<string> = new Set();
  #head: string | null = null;

  constructor(runsDir: string) {
    this.#runsDir = runsDir;
  }

  has(runId: string): boolean {
    if (this.#ids.has(runId)) return true;
    const head = ledgerHead(this.#runsDir);
    if (head === this.#head) return false;
    const entries = readLedger(this.#runsDir);
    this.#ids = new Set(entries.flatMap((entry) => (entry.kind === 'torn' ? [] : [entry.run_id])));
    this.#head = head;
    return this.#ids.has(runId);
  }
}

async function recoverRun(
  runsDir: string,
  run: RunRecord,
  recorded: RecordedRuns,
  options: RecoverOptions,
): Promise<Attempt | null> {
  const { key, clock } = options;
  const run_id = run.runId;
  if (run.state === 'running' || run.report === null) return null;
  const inLedger = recorded.has(run_id);
  if (run.state === 'interrupted') {
    if (inLedger) return { run_id, did: 'left', detail: CHANGED_SINCE };
    const link = findLink(run.dir);
    if (link !== null) return { run_id, did: 'left', detail: `${link} is a symbolic link, which no run creates` };
    const finished = await finishInterrupted(run.dir, runsDir, options);
    return finished.kind === 'postponed'
      ? later(run, finished.why)
      : { run_id, did: 'sealed', detail: sealedDetail(finished) };
  }
  if (run.report.run_id !== run_id || isRunning(runsDir, run_id, options.processes ?? systemProcesses)) return null;
  if (inLedger) return null;
  const trusted = [{ name: 'this harness', keyid: key.keyid, publicKey: key.publicKey }];
  const { verdict } = verifyBundle(run.dir, { trusted, now: clock.now() });
  if (verdict !== 'verified') return { run_id, did: 'left', detail: `not in the ledger, and its bundle is ${verdict}` };
  await recordRun(runsDir, clock, run.report, digestFile(join(run.dir, MANIFEST_FILE)).sha256);
  return { run_id, did: 'recorded', detail: 'already sealed; added to the ledger' };
}

function sealedDetail({ events, report }: Extract<Finished, { kind: 'sealed' }>): string {
  const { frozen_tree: tree, changed_files: files } = report;
  const work =
    tree?.examined === 'no'
      ? `tree not examined: ${tree.detail}`
      : `${files.length} changed ${files.length === 1 ? 'file' : 'files'} kept`;
  return `blocked, run interrupted; ${events} events kept; ${work}`;
}

/** Reports a scratch directory that could not be removed. */
async function removeScratch(runsDir: string, runId: string): Promise<readonly Recovery[]> {
  const scratch = readLiveEntry(runsDir, runId)?.scratch ?? null;
  if (scratch === null) return [];
  if (!SCRATCH_NAME.test(basename(scratch))) {
    return [
      { run_id: runId, did: 'left', detail: `${scratch} does not look like a scratch directory; remove it by hand` },
    ];
  }
  try {
    await removeTree(scratch);
    return [];
  } catch (error) {
    return [{ run_id: runId, did: 'left', detail: `cannot remove ${scratch}: ${messageOf(error)}; remove it by hand` }];
  }
}

/** Removes staged files of processes that died before their run directory was in place. */
function removeStaged(runsDir: string, processes: ProcessTable): void {
  for (const name of namesIn(liveDir(runsDir))) {
    const staged = /^(.+)\.(?:new|json(?:\.\d+)?\.tmp)$/.exec(name)?.[1];
    const draftOf = /\.draft-(\d+)$/.exec(name)?.[1];
    const abandoned =
      (staged !== undefined && !isRunning(runsDir, staged.replace(/-baseline$/, ''), processes)) ||
      (draftOf !== undefined && processes.startedOf(Number(draftOf)) === null);
    if (abandoned) rmSync(join(liveDir(runsDir), name), { recursive: true, force: true });
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
