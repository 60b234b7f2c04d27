import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadProject } from '../../agents/config/load.ts';
import { openHostAt } from '../../agents/host/open.ts';
import { shellWord } from '../../agents/lifecycle/script.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { readLiveProject } from '../live/read.ts';
import { findWatchdogs } from '../live/watchdogs.ts';
import { checkParity } from '../parity/compare.ts';
import { projectCommand } from '../operate.ts';
import { followUnit } from './boot-chain.ts';
import type { CutoverPlan } from './schema.ts';
import { cutoverStanding } from './standing.ts';
import { readEntries, writeCutoverPlan } from './store.ts';

export interface PlanRequest {
  readonly live: string;
  readonly staged: string;
  readonly unit: string;
  readonly shim: string | undefined;
  /** Stops the live project; undefined: found out. */
  readonly stop: string | undefined;
  /** Plan it although the staged project differs from the live one. */
  readonly unequal: boolean;
}

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Finds out what a cutover has to change, and writes it down below the staged project. Touches nothing of the live one. */
export async function planCutover(request: PlanRequest, { env, clock }: Surroundings): Promise<CutoverPlan> {
  const live = readLiveProject(request.live, env);
  const staged = loadProject(request.staged);
  refuseUnfit(request, live, staged);
  if (!request.unequal) await refuseUnequal(live.dir, staged.dir, { env, clock });
  const chain = followUnit(
    realpathSync(request.unit),
    request.shim === undefined ? undefined : realpathSync(request.shim),
    env,
  );
  const host = openHostAt(live.socket, env);
  const view = await host.list();
  await host.close();
  if (view.kind === 'unknown')
    throw new SeatrialError('blocked', `tmux did not answer: ${view.why}; nothing was planned. Try again.`);
  const alive =
    view.kind === 'present'
      ? [...view.sessions.values()].filter(({ dead }) => dead === null).map(({ name }) => name)
      : [];
  const plan: CutoverPlan = {
    version: 1,
    made_at: clock.now().toISOString(),
    live: live.dir,
    staged: staged.dir,
    prefix: live.prefix,
    socket: live.socket,
    live_log_dir: live.logDir,
    unit: chain.files[0] ?? request.unit,
    chain: [...chain.files],
    shim: chain.shim,
    shim_kind: chain.kind,
    start: chain.start,
    stop: request.stop ?? stopCommand(live.dir, live.python),
    live_runs: findWatchdogs(live).length > 0,
    not_started_again: staged.agents
      .filter(({ session, enabled, kind }) => alive.includes(session) && (!enabled || kind === 'task'))
      .map(({ session }) => session),
  };
  writeCutoverPlan(plan);
  return plan;
}

function refuseUnfit(
  { unit, shim }: PlanRequest,
  live: ReturnType<typeof readLiveProject>,
  staged: ReturnType<typeof loadProject>,
): void {
  for (const file of [unit, ...(shim === undefined ? [] : [shim])])
    if (!existsSync(file)) throw new SeatrialError('usage', `there is no file ${resolve(file)}`);
  if (live.dir === staged.dir)
    throw new SeatrialError('usage', 'the live and the staged project are the same directory');
  if (live.prefix !== staged.prefix)
    throw new SeatrialError(
      'usage',
      `the staged project has session_prefix ${JSON.stringify(staged.prefix)}, the live one ${JSON.stringify(live.prefix)}; a cutover goes on under the same names`,
    );
  const { way } = cutoverStanding(readEntries(staged.dir));
  if (way !== null)
    throw new SeatrialError(
      'blocked',
      `a cutover of ${staged.dir} is under way; \`seatrial cutover status ${staged.dir}\` says where it stands`,
    );
}

async function refuseUnequal(live: string, staged: string, surroundings: Surroundings): Promise<void> {
  const findings = await checkParity({ live, staged, capturedStatus: null }, surroundings);
  const differing = findings.filter(({ verdict }) => verdict === 'different');
  if (differing.length === 0) return;
  throw new SeatrialError(
    'blocked',
    `nothing was planned: the staged project differs from the live one (${differing.map(({ what }) => what).join(', ')}); \`seatrial parity ${live} ${staged}\` shows it, and --unequal plans it all the same`,
  );
}

function stopCommand(dir: string, python: boolean): string {
  const command = python ? ['python3', `${dir}/agents.py`, 'down'] : [...projectCommand(dir), 'down', '--project', dir];
  return command.map(shellWord).join(' ');
}
