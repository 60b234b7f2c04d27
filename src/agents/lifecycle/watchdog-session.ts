import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { killNow } from '../../confine/processes/process-life.ts';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { WATCHDOG, watchdogSession } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { offerEnvironment } from '../panes/environment-offer.ts';
import { agentDir } from '../protocol/paths.ts';
import { HEARTBEAT_LIMIT_MS } from '../status/decide.ts';
import { heartbeatAge } from '../watchdog/lock-path.ts';
import { readLockHolder } from '../watchdog/lock.ts';
import { ownCommand } from './environment.ts';
import type { Operation } from './operate.ts';
import { shellWord } from './script.ts';

/** `replaced`: the one that ran gave no sign of life. */
export type WatchdogStart = 'running' | 'started' | 'replaced';

/** It gave no sign of life for too long. */
function watchdogHangs({ lockPath, clock }: Operation): boolean {
  const age = heartbeatAge(lockPath, clock.now());
  return age !== null && age > HEARTBEAT_LIMIT_MS;
}

/** `ensureWatchdog` then starts another. */
export async function endHangingWatchdog(
  operation: Operation,
  sessions: ReadonlyMap<string, SessionFacts>,
): Promise<void> {
  const { project, host } = operation;
  const name = watchdogSession(project);
  const session = sessions.get(name);
  if (session === undefined || session.dead !== null || !watchdogHangs(operation)) return;
  await shutOut(operation);
  await host.end(name, { project: project.id, spawn: null, fence: null });
}

/** Starts the watchdog unless it runs. One that hangs is fenced out, killed and replaced. */
export async function ensureWatchdog(
  operation: Operation,
  sessions: ReadonlyMap<string, SessionFacts>,
): Promise<WatchdogStart> {
  const { project, host } = operation;
  const name = watchdogSession(project);
  const session = sessions.get(name);
  const hangs = watchdogHangs(operation);
  if (session !== undefined && session.dead === null && !hangs) return 'running';
  if (hangs) await shutOut(operation);
  if (session !== undefined) await host.end(name, { project: project.id, spawn: null, fence: null });
  const offer = await offerEnvironment(variablesOfAll(operation));
  const result = await host.create({
    name,
    project: project.id,
    spawn: randomUUID(),
    cwd: project.dir,
    argv: ['/bin/sh', writeScript(operation, offer.script)],
    fence: null,
  });
  if (result.kind === 'done') await offer.settled();
  offer.close();
  if (result.kind !== 'done')
    throw new SeatrialError(
      'blocked',
      `the watchdog could not be started: ${result.kind === 'unknown' ? result.why : 'its session exists'}`,
    );
  return session === undefined ? 'started' : 'replaced';
}

/** What it starts agents with: it was not started by the shell that has these variables. */
function variablesOfAll({ project, env }: Operation): Record<string, string> {
  const names = new Set(project.agents.flatMap((agent) => agent.env));
  return Object.fromEntries([...names].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** First the fence, so that it can do nothing more even if it wakes up; then the process. */
async function shutOut({ host, fenceName, lockPath }: Operation): Promise<void> {
  const holder = readLockHolder(lockPath);
  if (holder === null) return;
  await host.raiseFence({ name: fenceName, value: holder.fence + 1 });
  killNow({ pid: holder.pid, startTime: holder.start_time });
}

/** A loop, so that a watchdog that crashes comes back. A second one, or one with unreadable configuration, tries again later. */
function writeScript({ project, env }: Operation, fetch: readonly string[]): string {
  const dir = agentDir(project, WATCHDOG);
  makeDirs(dir);
  const script = join(dir, 'launch.sh');
  const runtime = env['XDG_RUNTIME_DIR'];
  const command = [...ownCommand(), 'watchdog', '--project', project.dir].map(shellWord).join(' ');
  writeWhole(
    script,
    [
      '#!/bin/sh',
      ...fetch,
      ...['TMUX_TMPDIR', 'SEATRIAL_TMUX_SOCKET', 'PATH', 'HOME'].flatMap((name) => {
        const value = env[name];
        return value === undefined ? [] : [`export ${name}=${shellWord(value)}`];
      }),
      runtime === undefined ? 'unset XDG_RUNTIME_DIR' : `export XDG_RUNTIME_DIR=${shellWord(runtime)}`,
      'while :; do',
      `  ${command}`,
      '  sleep 1',
      'done',
      '',
    ].join('\n'),
  );
  return script;
}
