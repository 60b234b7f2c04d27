import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { runTool } from '../processes/spawn.ts';

/** By which version managers and toolchains choose where to look and what to start. */
const STEERING =
  /^(?:RUSTUP_(?:HOME|TOOLCHAIN)|CARGO_HOME|GOROOT|NVM_DIR|VOLTA_HOME|FNM_DIR|XDG_(?:CONFIG|DATA)_HOME|(?:PY|NOD|RB|GO)ENV_(?:ROOT|VERSION)|(?:ASDF|MISE)_(?:DIR|DATA_DIR|CONFIG_DIR|CONFIG_FILE|[A-Z0-9]+_VERSION))$/;
const IS_DIR = /(?:_HOME|_ROOT|_DIR|^GOROOT)$/;

export type ToolEnvironment = Readonly<Record<string, string>>;

/** Of the caller's environment what decides which program a name stands for. Nothing in it is a credential. */
export function steeringVariables(env: Readonly<Record<string, string | undefined>>): ToolEnvironment {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === '' || !STEERING.test(name)) return [];
    // Programs are asked in another folder than the caller's.
    return [[name, IS_DIR.test(name) ? resolve(value) : value]];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** As they are called inside as well: nothing is downloaded to answer, and what runs is what was found. */
const FIXED: ToolEnvironment = { RUSTUP_AUTO_INSTALL: '0', GOTOOLCHAIN: 'local', GOENV: 'off', GOFLAGS: '' };

/** What programs are asked with. Shims need to know where home is and what else is on the PATH. */
export function toolEnvironment(path: string, steering: ToolEnvironment): ToolEnvironment {
  return { ...steering, ...FIXED, PATH: path, HOME: homedir() };
}

/** What a program prints, trimmed; null: it could not be asked, or did not answer. */
export async function ask(file: string, args: readonly string[], env: ToolEnvironment): Promise<string | null> {
  const { exitCode, stdout } = await runTool(file, args, { env, timeoutMs: 15_000 });
  return exitCode === 0 ? stdout.trim() : null;
}
