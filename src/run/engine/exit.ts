import { existsSync, readFileSync } from 'node:fs';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { SandboxResult } from '../../confine/types.ts';
import type { Cause, RawLogs } from '../../engines/definition.ts';
import type { EngineExchanges } from '../model/exchange-log.ts';
import type { StopCause } from './session.ts';
import type { Run } from '../steps/state.ts';

/** Writes down how an engine's life ended, and what its logs say about why. */
export function recordEngineExit(
  run: Run,
  end: SandboxResult,
  cause: StopCause | null,
  exchanges: EngineExchanges,
  /** What the conversation with it says against a pass. */
  spoken: Cause | null = null,
): void {
  const { engine, signal } = run.request;
  const { log } = run;
  const logs = rawLogs(run, exchanges, end.kind === 'exited' ? end.exitCode : null);
  const exited = (exitCode: number | null): void =>
    log.append('backend.exited', 'harness', { exit_code: exitCode, completion: 'exited' });
  switch (end.kind) {
    case 'exited':
      exited(end.exitCode);
      break;
    case 'timed_out': {
      const after = Math.round(end.durationMs);
      run.log.mark('provider-timeout.txt', `${engine.name} was ended at its time limit after ${after} ms`);
      log.append('backend.timeout', 'harness', { after_ms: after, marker: 'backend/provider-timeout.txt' });
      break;
    }
    case 'over_limit':
      exited(null);
      run.fail(reason('engine_over_limit', { engine: engine.name, limit: end.limit }));
      break;
    case 'killed':
      if (cause?.kind === 'completed') {
        log.append('backend.completed_by_harness', 'harness', { commit: run.mask.text(cause.commit) });
        break;
      }
      if (cause?.kind === 'turn over') {
        log.append('backend.exited', 'harness', { exit_code: null, completion: 'turn_over' });
        break;
      }
      exited(null);
      if (cause?.kind !== 'cut' && !signal.aborted) run.block(reason('engine_killed', { engine: engine.name }));
      break;
    case 'not_run':
      log.append('backend.exited', 'harness', { exit_code: null, completion: 'not_started' });
      // Ctrl-C reaches every process of the terminal.
      if (!signal.aborted) run.block(reason('engine_not_run', { engine: engine.name, why: end.detail }));
  }
  if (cause?.kind === 'cut' && cause.detail === undefined) {
    run.raise(cause.reason);
    if (cause.reason.status === 'blocked') return;
  }
  if (cause?.kind === 'cut' && cause.detail !== undefined)
    takeCause(run, { reason: cause.reason, detail: cause.detail });
  // Where the harness ended it, or its time was over, that says why the conversation broke off.
  if (spoken !== null && cause === null && end.kind === 'exited') takeCause(run, spoken);
  if (spoken !== null && cause?.kind === 'turn over') takeCause(run, spoken);
  for (const found of engine.diagnose(logs))
    if (cause?.kind !== 'cut' || found.reason.code !== cause.reason.code) takeCause(run, found);
}

/** Read from disk: what an engine printed, as it was kept. */
export function rawLogs(run: Run, { calls, claims, refusedModels }: EngineExchanges, exitCode: number | null): RawLogs {
  const kept = (name: string): string => {
    const path = run.artifact(`backend/${name}`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return {
    stdout: kept('stdout.log'),
    stderr: kept('stderr.log'),
    ownLog: kept('own-log.jsonl'),
    calls,
    claims,
    refusedModels,
    denials: run.log.events.flatMap((event) => (event.type === 'approval.denied' ? [event.data.action] : [])),
    exitCode,
  };
}

export function takeCause(run: Run, { reason: found, detail }: Cause): void {
  if (found.cause === 'provider') run.log.append('provider.unavailable', 'harness', { detail: run.mask.text(detail) });
  run.raise(found, detail);
}
