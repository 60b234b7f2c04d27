import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../../confine/processes/spawn.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Project } from '../config/project.ts';
import { ownCommand } from '../lifecycle/environment.ts';
import { bootFiles, type BootFiles } from './units.ts';
import { userDir } from '../../kernel/user-dirs.ts';

type Environment = NodeJS.ProcessEnv;

export interface BootChange {
  /** Paths that were written or removed. */
  readonly files: readonly string[];
  /** For the person: what is still to be done. */
  readonly notes: readonly string[];
  /** Null: systemd does it. */
  readonly cronLine: string | null;
}

/** Has the agents of a project started after a reboot, and looked after every minute. */
export async function installBoot(project: Project, env: Environment): Promise<BootChange> {
  const files = filesOf(project, env);
  if (!(await hasUserSystemd(env))) return { files: [], notes: [], cronLine: files.cronLine };
  const { service, timer } = pathsOf(files, env);
  makeDirs(unitDir(env));
  writeWhole(service, files.service);
  writeWhole(timer, files.timer);
  await systemctl(env, 'daemon-reload');
  await systemctl(env, 'enable', '--now', `${files.name}.timer`);
  const lingers = await hasLinger(env);
  return {
    files: [service, timer],
    notes: lingers ? [] : ['run `loginctl enable-linger`, or nothing starts before you have logged in'],
    cronLine: null,
  };
}

/** Takes that back. Agents that run go on. */
export async function removeBoot(project: Project, env: Environment): Promise<BootChange> {
  const files = filesOf(project, env);
  const paths = Object.values(pathsOf(files, env)).filter((path) => existsSync(path));
  if (paths.length === 0) return { files: [], notes: [], cronLine: files.cronLine };
  const managed = await hasUserSystemd(env);
  if (managed) await systemctl(env, 'disable', '--now', `${files.name}.timer`);
  for (const path of paths) rmSync(path);
  if (managed) await systemctl(env, 'daemon-reload');
  return { files: paths, notes: [], cronLine: null };
}

/** The pinned Seatrial of the project, if it has one. */
function filesOf(project: Project, env: Environment): BootFiles {
  const pinned = join(project.dir, 'engine', 'seatrial');
  return bootFiles(
    project,
    existsSync(pinned) ? [pinned] : ownCommand(),
    env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  );
}

function unitDir(env: Environment): string {
  return join(userDir('config', env) ?? '/.config', 'systemd', 'user');
}

function pathsOf({ name }: BootFiles, env: Environment): { readonly service: string; readonly timer: string } {
  return { service: join(unitDir(env), `${name}.service`), timer: join(unitDir(env), `${name}.timer`) };
}

/** Whether the caller has a systemd of their own that answers. */
async function hasUserSystemd(env: Environment): Promise<boolean> {
  const program = findProgram('systemctl', env['PATH'] ?? '');
  return program !== null && (await ask(program, env, '--user', 'show', '--property=Version')).exitCode === 0;
}

async function systemctl(env: Environment, ...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await ask(
    findProgram('systemctl', env['PATH'] ?? '') ?? 'systemctl',
    env,
    '--user',
    ...args,
  );
  if (exitCode !== 0)
    throw new SeatrialError(
      'blocked',
      `\`systemctl --user ${args.join(' ')}\` failed: ${stderr.trim() || `exit code ${exitCode}`}`,
    );
}

async function hasLinger(env: Environment): Promise<boolean> {
  const program = findProgram('loginctl', env['PATH'] ?? '');
  if (program === null) return true;
  const user = env['USER'] ?? env['LOGNAME'];
  const { stdout } = await ask(program, env, 'show-user', ...(user === undefined ? [] : [user]), '--property=Linger');
  return !stdout.includes('Linger=no');
}

function ask(program: string, env: Environment, ...args: readonly string[]): ReturnType<typeof runTool> {
  const passed = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME'].flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  return runTool(program, args, { env: Object.fromEntries(passed) });
}
