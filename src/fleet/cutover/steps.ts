import { patch } from '@decimalturn/toml-patch';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { loadProject } from '../../agents/config/load.ts';
import { watchdogSession } from '../../agents/config/project.ts';
import type { SessionFacts } from '../../agents/host/port.ts';
import { openHostAt } from '../../agents/host/open.ts';
import { shellWord } from '../../agents/lifecycle/script.ts';
import { runTool } from '../../confine/processes/spawn.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { findWatchdogs } from '../live/watchdogs.ts';
import { projectCommand } from '../operate.ts';
import { unitCommand } from './boot-chain.ts';
import type { Surroundings } from './plan.ts';
import type { CutoverPlan } from './schema.ts';
import { holdingShim, startingShim } from './shim.ts';
import { keptText, writeChanged } from './snapshot.ts';
import { cutoverDir } from './store.ts';
import { definedVariables } from '../live/variables.ts';

const PATIENCE_MS = 60_000;
const COMMAND_TIMEOUT_MS = 600_000;

/** From now on a boot or a timer starts neither project. */
export function hold(plan: CutoverPlan): string {
  writeChanged(plan.shim, holdingShim(plan.shim_kind, keptText(plan, plan.shim)));
  return `${plan.shim} starts nothing`;
}

/** The boot chain leads to the staged project. */
export function pointAtStaged(plan: CutoverPlan, { env }: Surroundings): string {
  const command = [...projectCommand(plan.staged), 'up', '--resume', '--project', plan.staged];
  writeChanged(
    plan.shim,
    startingShim(plan.shim_kind, keptText(plan, plan.shim), command, env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
  );
  return `${plan.shim} starts ${plan.staged}`;
}

/** The staged project goes on with the state of the live one. */
export function pointAtState(plan: CutoverPlan): string {
  const file = join(plan.staged, 'agents.toml');
  const text = readFileSync(file, 'utf8');
  const changed = patch(text, { ...parse(text), log_dir: plan.live_log_dir });
  if (changed !== text) writeChanged(file, changed);
  return `log_dir of ${file} is ${plan.live_log_dir}`;
}

/** Stops the live project, and the staged one should it run, until no watchdog and no session under their names is left. */
export async function stopLive(plan: CutoverPlan, surroundings: Surroundings): Promise<string> {
  const before = findWatchdogs(plan).length;
  await stopStaged(plan, surroundings);
  await call(plan, plan.stop, '/', {}, surroundings);
  await until(
    async () => findWatchdogs(plan).length === 0 && (await livingSessions(plan, surroundings.env)).length === 0,
    async () =>
      `\`${plan.stop}\` ended, but ${[...(await livingSessions(plan, surroundings.env)).map(({ name }) => `session ${name}`), ...findWatchdogs(plan).map(({ pid }) => `watchdog ${pid}`)].join(', ')} still runs; stop it, and call this again`,
  );
  return before === 0 ? 'nothing was running' : 'no watchdog runs';
}

/** Stops what the staged project started; the live one, should it run, is left alone. */
export async function stopStaged(plan: CutoverPlan, surroundings: Surroundings): Promise<string> {
  const { id } = loadProject(plan.staged);
  const runs = async (): Promise<boolean> =>
    findWatchdogs(plan).some(({ dir }) => dir === plan.staged) ||
    (await livingSessions(plan, surroundings.env)).some(({ project }) => project === id);
  if (!(await runs())) return 'the staged project does not run';
  const command = [...projectCommand(plan.staged), 'down', '--project', plan.staged].map(shellWord).join(' ');
  await call(plan, command, '/', {}, surroundings);
  await until(
    async () => !(await runs()),
    () =>
      Promise.resolve(`\`${command}\` ended, but something of ${plan.staged} still runs; stop it, and call this again`),
  );
  return 'the staged project is stopped';
}

export const liveRuns = (plan: CutoverPlan): boolean => findWatchdogs(plan).some(({ dir }) => dir === plan.live);

/** Starts what the unit starts, through the whole chain, and waits for exactly one watchdog, that of the expected project. */
export async function startByUnit(plan: CutoverPlan, expected: string, surroundings: Surroundings): Promise<string> {
  const { argv, cwd, env } = unitCommand(plan.unit, surroundings.env);
  await call(plan, argv.map(shellWord).join(' '), cwd, env, surroundings);
  await until(
    () => Promise.resolve(findWatchdogs(plan).some(({ dir }) => dir === expected)),
    () =>
      Promise.resolve(
        `${plan.unit} was started, but no watchdog of ${expected} came up; look at \`seatrial status --project ${expected}\``,
      ),
  );
  return `one watchdog, of ${expected}`;
}

async function livingSessions(plan: CutoverPlan, env: NodeJS.ProcessEnv): Promise<SessionFacts[]> {
  const host = openHostAt(plan.socket, env);
  const view = await host.list();
  await host.close();
  if (view.kind === 'unknown') throw new SeatrialError('blocked', `tmux did not answer: ${view.why}; call this again`);
  const staged = loadProject(plan.staged);
  const names = new Set([...staged.agents.map(({ session }) => session), watchdogSession(staged)]);
  return view.kind === 'present' ? [...view.sessions.values()].filter(({ name }) => names.has(name)) : [];
}

/** Held by a command that a step started, for as long as it runs, also when the cutover itself is killed. */
const commandLock = (plan: CutoverPlan): string => join(cutoverDir(plan.staged), '.command.lock');

/** A command that an earlier call left behind ends first: what it stops or starts must not come in between. */
export async function awaitCommands(plan: CutoverPlan): Promise<void> {
  const { exitCode } = await runTool('flock', ['--close', commandLock(plan), 'true'], {
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  if (exitCode !== 0)
    throw new SeatrialError('blocked', `a command of an earlier call holds ${commandLock(plan)}; wait until it ends`);
}

async function call(
  plan: CutoverPlan,
  command: string,
  cwd: string,
  more: Readonly<Record<string, string>>,
  { env }: Surroundings,
): Promise<void> {
  const own = definedVariables(env);
  const script = `cd ${shellWord(cwd)} && ${command}`;
  const done = await runTool('flock', ['--close', commandLock(plan), '/bin/sh', '-c', script], {
    env: { ...own, ...more },
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  if (done.exitCode !== 0)
    throw new SeatrialError(
      'blocked',
      `\`${command}\` failed: ${`${done.stdout}${done.stderr}`.trim() || `exit code ${done.exitCode ?? 'unknown'}`}`,
    );
}

async function until(holds: () => Promise<boolean>, otherwise: () => Promise<string>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new SeatrialError('blocked', await otherwise());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
