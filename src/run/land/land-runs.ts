import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { findRepository } from '../../task/repository-files.ts';
import { openBranch } from './branch.ts';
import { landRun } from './land-run.ts';
import type { LandingOutcome, LandOptions, LandPorts } from './outcome.ts';
import type { ProvenRun } from './proven-run.ts';

/** Others may judge for as long. */
const LOCK_PATIENCE_MS = 4 * 60 * 60 * 1000;

/** Lands runs one after another, under the lock of the repository. Those that come after an interruption are left out of the result. */
export async function landRuns(
  runs: readonly ProvenRun[],
  options: LandOptions,
  ports: LandPorts,
  scratch: string,
): Promise<readonly LandingOutcome[]> {
  // A branch that does not exist is the caller's mistake, not a reason to hold every run.
  await openBranch(options.repo, options.onto, ports.caller);
  const inTurn = async (): Promise<readonly LandingOutcome[]> => {
    const outcomes: LandingOutcome[] = [];
    for (const [at, run] of runs.entries()) {
      if (ports.signal.aborted) break;
      const place = join(scratch, `run-${at}`);
      mkdirSync(place);
      outcomes.push(await landRun(run, options, ports, place).catch(heldBy(run)));
    }
    return outcomes;
  };
  // A dry run changes nothing, so it takes no lock.
  if (options.dryRun) return inTurn();
  const lock = join(findRepository(options.repo).commonDir, 'seatrial-land.lock');
  return withLock(lock, inTurn, LOCK_PATIENCE_MS, ports.signal);
}

/** One run that cannot land does not keep the next from landing. */
function heldBy(run: ProvenRun): (error: unknown) => LandingOutcome {
  return (error) => {
    if (!(error instanceof SeatrialError) || error.code === 'evidence') throw error;
    const reasons = [reason('landing_refused', { why: messageOf(error) })];
    return { outcome: 'held', runId: run.report.run_id, reasons, judgedIn: null, broken: [] };
  };
}
