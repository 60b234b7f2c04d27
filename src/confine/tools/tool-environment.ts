import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** Variables that version managers and toolchains select programs by. */
const STEERING =
  /^(?:RUSTUP_(?:HOME|TOOLCHAIN)|CARGO_HOME|GOROOT|NVM_DIR|VOLTA_HOME|FNM_DIR|XDG_(?:CONFIG|DATA)_HOME|(?:PY|NOD|RB|GO)ENV_(?:ROOT|VERSION)|(?:ASDF|MISE)_(?:DIR|DATA_DIR|CONFIG_DIR|CONFIG_FILE|[A-Z0-9]+_VERSION))$/;
const IS_DIR = /(?:_HOME|_ROOT|_DIR|^GOROOT)$/;

export type ToolEnvironment = Readonly<Record<string, string>>;

/** The caller's variables that decide which program a name resolves to. None of them is a credential. */
export function steeringVariables(env: Readonly<Record<string, string | undefined>>): ToolEnvironment {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === '' || !STEERING.test(name)) return [];
    // Candidates are run in another working directory than the caller's.
    return [[name, IS_DIR.test(name) ? resolve(value) : value]];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same as in the sandbox: nothing is downloaded, and the program identified is the one that will run. */
const FIXED: ToolEnvironment = { RUSTUP_AUTO_INSTALL: '0', GOTOOLCHAIN: 'local', GOENV: 'off', GOFLAGS: '' };

/** The environment that candidates are run with. Shims need HOME and PATH. */
export function toolEnvironment(path: string, steering: ToolEnvironment): ToolEnvironment {
  return { ...steering, ...FIXED, PATH: path, HOME: homedir() };
}
