import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadProject } from '../../agents/config/load.ts';
import type { Project } from '../../agents/config/project.ts';
import { socketPath } from '../../agents/host/tmux/socket.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { parseTomlText, readText } from '../../task/toml/parse-toml.ts';

/** A project directory of this system or of the one before it, as far as both say the same in agents.toml. Paths are absolute. */
export interface LiveProject {
  readonly dir: string;
  readonly file: string;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly prefix: string;
  readonly logDir: string;
  readonly kickoffFile: string | null;
  readonly rolesDir: string | null;
  /** Path of its tmux socket. */
  readonly socket: string;
  /** The same, read by all rules of this system. Null: `refusal` says why that cannot be. */
  readonly project: Project | null;
  readonly refusal: string | null;
  /** It is run by the Python engine, whose program lies beside agents.toml. */
  readonly python: boolean;
}

const PYTHON_ENGINE = 'agents.py';

/** Reads what both systems share. Throws if even that is not there. Writes nothing. */
export function readLiveProject(dir: string, env: NodeJS.ProcessEnv): LiveProject {
  if (!existsSync(join(dir, 'agents.toml')))
    throw new SeatrialError('usage', `there is no agents.toml in ${resolve(dir)}; name the directory of a project`);
  const real = realpathSync(dir);
  const file = join(real, 'agents.toml');
  const faults: string[] = [];
  const text = readText(file, faults);
  const value = text === null ? null : parseTomlText(text, 'agents.toml', faults);
  if (text === null || value === null) throw new SeatrialError('usage', `${real}: ${faults.join('; ')}`);
  const table: Readonly<Record<string, unknown>> = { ...value };
  const word = (key: string): string | null => {
    const found = table[key];
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const at = (key: string): string | null => (word(key) === null ? null : resolve(real, word(key) ?? ''));
  const prefix = word('session_prefix');
  if (prefix === null)
    throw new SeatrialError(
      'usage',
      `${file} has no session_prefix, so its sessions cannot be told from others; add it`,
    );
  return {
    dir: real,
    file,
    text,
    value: table,
    prefix,
    logDir: at('log_dir') ?? join(real, '.ao-state'),
    kickoffFile: at('kickoff'),
    rolesDir: at('roles_dir'),
    socket: socketPath(word('tmux_socket'), env, process.getuid?.() ?? 0),
    ...readStrictly(real),
    python: existsSync(join(real, PYTHON_ENGINE)),
  };
}

function readStrictly(dir: string): Pick<LiveProject, 'project' | 'refusal'> {
  try {
    return { project: loadProject(dir), refusal: null };
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    return { project: null, refusal: messageOf(error) };
  }
}
