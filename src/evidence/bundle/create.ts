import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { type Clock, compactStamp } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { makeDirs, syncDir, writeSynced, writeWhole } from '../storage/durable.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { interruptedReport } from '../report/initial.ts';
import { artifactPath, type Bundle, CONTROL_DIR, REPORT_FILE } from './bundle.ts';
import { ledgerHead, ledgerLock, ledgerPath } from './ledger.ts';
import { claimRunId, dropLiveEntry, liveDir, type RunOwner, systemProcesses } from './running.ts';
import { refuseLinks } from '../storage/no-follow.ts';

export interface NewBundle {
  readonly runsDir: string;
  readonly task: string;
  readonly engine: string;
  readonly clock: Clock;
  readonly pid: number;
  readonly nonce: string;
  /** Planned scratch directory of the run; recovery removes it if this process dies. */
  readonly scratch: string | null;
  /** Names of the secrets that are masked in the bundle. */
  readonly secrets?: readonly string[];
}

/** Creates a run directory with a unique name. It contains a report from the moment it exists. */
export function createBundle(wanted: NewBundle): Bundle {
  const { task, engine, clock, pid, nonce, scratch, secrets = [] } = wanted;
  if (!/^[A-Za-z0-9._-]+$/.test(task)) {
    throw new SeatrialError(
      'usage',
      `task name ${JSON.stringify(task)} is not a valid directory name; use letters, digits, . _ -`,
    );
  }
  const runsDir = resolve(wanted.runsDir);
  const now = clock.now();
  const startedMono = clock.mono();
  return reportingWrite(runsDir, () => {
    makeRunsDir(runsDir);
    refuseLinks(runsDir, liveDir(runsDir), ledgerPath(runsDir), ledgerLock(runsDir));
    const runId = claimFreeId(runsDir, `${compactStamp(now)}-${task}-${pid}`, {
      pid,
      scratch,
      secrets: [...secrets],
    });
    const bundle: Bundle = {
      kind: 'run',
      runsDir,
      runId,
      dir: join(runsDir, runId),
      task,
      engine,
      nonce,
      startedAt: now.toISOString(),
      startedMono,
      ledgerHeadAtStart: ledgerHead(runsDir),
    };
    try {
      createOnDisk(bundle);
    } catch (error) {
      dropLiveEntry(runsDir, runId);
      throw error;
    }
    return bundle;
  });
}

/** Creates the control of a run as a bundle inside the run's bundle. */
export function createControlBundle(
  run: Bundle,
  wanted: { readonly engine: string; readonly clock: Clock; readonly nonce: string },
): Bundle {
  const { engine, clock, nonce } = wanted;
  const bundle: Bundle = {
    ...run,
    kind: 'control',
    runId: `${run.runId}-${CONTROL_DIR}`,
    dir: join(run.dir, CONTROL_DIR),
    engine,
    nonce,
    startedAt: clock.now().toISOString(),
    startedMono: clock.mono(),
  };
  reportingWrite(bundle.dir, () => createOnDisk(bundle));
  return bundle;
}

/** Call once a sealed run has left nothing outside its bundle; until then `recoverRuns` cleans up after it. */
export function clearRunning(bundle: Bundle): void {
  if (bundle.kind === 'run') dropLiveEntry(bundle.runsDir, bundle.runId);
}

/** Writes one artifact and its parent directories; on failure throws an `evidence` error that names the path. */
export function writeArtifact(bundle: Bundle, name: string, content: string | Uint8Array): void {
  const path = artifactPath(bundle, name);
  reportingWrite(path, () => {
    makeDirs(dirname(path));
    writeWhole(path, content);
  });
}

/** Adds a .gitignore, so that a surrounding repository ignores the runs directory. */
function makeRunsDir(runsDir: string): void {
  if (existsSync(runsDir)) return;
  makeDirs(runsDir);
  writeWhole(join(runsDir, '.gitignore'), '*\n');
}

function claimFreeId(runsDir: string, base: string, owner: RunOwner): string {
  for (let attempt = 1; ; attempt += 1) {
    const runId = attempt === 1 ? base : `${base}-${attempt}`;
    if (existsSync(join(runsDir, runId))) continue;
    if (!claimRunId(runsDir, runId, owner, systemProcesses)) continue;
    if (!existsSync(join(runsDir, runId))) return runId;
    dropLiveEntry(runsDir, runId); // its owner sealed it after our first check
  }
}

/** Creates the directory elsewhere and renames it into place, so that it never exists without its report. */
function createOnDisk(bundle: Bundle): void {
  const staged = join(liveDir(bundle.runsDir), `${bundle.runId}.new`);
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged);
  writeSynced(join(staged, REPORT_FILE), Buffer.from(prettyJson(interruptedReport(bundle))));
  syncDir(staged);
  renameSync(staged, bundle.dir);
  syncDir(dirname(bundle.dir));
}
