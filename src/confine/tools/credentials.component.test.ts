import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { credentialPlaces } from './credentials.ts';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import { steeringVariables } from './tool-environment.ts';
import { type ResolvedTool, resolveTool } from './toolchain.ts';
import type { Mount } from '../types.ts';

vi.setConfig({ testTimeout: 60_000 });

const CANARY = 'canary-of-a-credential';
let root: string;
let home: string;
let scratch: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-credentials-')));
  chmodSync(root, 0o755);
  home = join(root, 'home');
  mkdirSync(home);
  scratch = makeScratch();
  vi.stubEnv('HOME', home);
  for (const name of ['RUSTUP_HOME', 'CARGO_HOME', 'RUSTUP_TOOLCHAIN', 'XDG_CONFIG_HOME']) vi.stubEnv(name, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
  await removeScratch(scratch);
});

function put(path: string, content: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}
const script = (path: string, body: string): string => put(path, `#!/bin/sh\n${body}\n`, 0o755);

/** What a confined command sees of the directory that holds it all: names of files with a canary in them. */
async function readable(mounts: readonly Mount[], command = 'true', readOnly: readonly string[] = []): Promise<string> {
  const confinement = await openConfinement({
    kind: 'bubblewrap',
    scratch,
    readOnly: readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
  });
  const sandbox = confinement.start({
    argv: ['/bin/sh', '-c', `${command}; grep -rsl ${CANARY} ${root} ${process.env['CARGO_HOME'] ?? ''}; echo looked`],
    env: {},
    cwd: '/',
    mounts,
    limits: DEFAULT_LIMITS,
    timeoutMs: 30_000,
  });
  sandbox.stdin.end();
  const [stdout, stderr] = await Promise.all([text(sandbox.stdout), text(sandbox.stderr), sandbox.ended]);
  return stdout + stderr;
}

describe('rustup', () => {
  /** As rustup does it: one program by many names, a toolchain by the variables and the settings. */
  const RUSTUP = `home="\${RUSTUP_HOME:-$HOME/.rustup}"
[ "$1" = which ] || exit 1
toolchain="\${RUSTUP_TOOLCHAIN:-$(/bin/cat "$home/settings.toml")}"
program="$home/toolchains/$toolchain/bin/$2"
[ -e "$program" ] && echo "$program"`;

  function installRust(rustupHome: string, cargoHome: string): void {
    script(join(cargoHome, 'bin/rustup'), RUSTUP);
    for (const [version, name] of [
      ['1.80.0', 'stable'],
      ['1.90.0', 'nightly'],
    ] as const) {
      const toolchain = join(rustupHome, 'toolchains', name);
      script(join(toolchain, 'bin/cargo'), `echo cargo ${version}`);
      put(join(toolchain, 'lib/rustlib/components'), '');
    }
    put(join(rustupHome, 'settings.toml'), 'stable');
    for (const name of ['credentials', 'credentials.toml', 'config.toml', 'git/db/private/config', 'registry/auth'])
      put(join(cargoHome, name), CANARY);
  }
  const cargo = (path = ''): Promise<ResolvedTool | null> =>
    resolveTool('cargo', { path, cacheDir: join(root, 'cache') });
  const shown = (found: ResolvedTool | null): string[] | undefined => found?.mounts.map(({ source }) => source);

  it.each([
    ['a link to rustup', (_: string, name: string) => symlinkSync('rustup', name)],
    ['a hard link to rustup', (rustup: string, name: string) => linkSync(rustup, name)],
  ])('%s mounts only the toolchain, wherever RUSTUP_HOME and CARGO_HOME are', async (_what, stand) => {
    const [rustupHome, cargoHome] = [join(root, 'odd place/rustup'), join(root, 'elsewhere/cargo')];
    installRust(rustupHome, cargoHome);
    stand(join(cargoHome, 'bin/rustup'), join(cargoHome, 'bin/cargo'));
    vi.stubEnv('RUSTUP_HOME', rustupHome);
    vi.stubEnv('CARGO_HOME', cargoHome);
    for (const path of [join(cargoHome, 'bin'), '/nowhere']) {
      const found = await cargo(path);
      expect(found?.tool.version).toBe('1.80.0');
      expect(shown(found)).toEqual([join(rustupHome, 'toolchains/stable')]);
      const said = await readable(found?.mounts ?? [], `"${found?.command}" --version`);
      expect(said).toBe('cargo 1.80.0\nlooked\n');
    }
  });

  it('without a toolchain is not a cargo, and mounts nothing of CARGO_HOME', async () => {
    const cargoHome = join(home, '.cargo');
    installRust(join(root, 'rustup'), cargoHome);
    symlinkSync('rustup', join(cargoHome, 'bin/cargo'));
    const found = await cargo(join(cargoHome, 'bin'));
    // The machine may have another cargo below /usr, which needs no mount.
    expect(shown(found) ?? []).toEqual([]);
  });

  it('follows its variables and settings every time', async () => {
    const [rustupHome, cargoHome] = [join(home, '.rustup'), join(home, '.cargo')];
    installRust(rustupHome, cargoHome);
    symlinkSync('rustup', join(cargoHome, 'bin/cargo'));
    const version = async (): Promise<string | undefined> => (await cargo(join(cargoHome, 'bin')))?.tool.version;
    expect([await version(), await version()]).toEqual(['1.80.0', '1.80.0']);
    vi.stubEnv('RUSTUP_TOOLCHAIN', 'nightly');
    expect(await version()).toBe('1.90.0');
    vi.stubEnv('RUSTUP_TOOLCHAIN', undefined);
    expect(await version()).toBe('1.80.0');
    put(join(rustupHome, 'settings.toml'), 'nightly');
    expect(await version()).toBe('1.90.0');
  });

  it('a Rust in a shared directory mounts only its own parts of it', async () => {
    script(join(home, '.local/bin/cargo'), 'echo cargo 1.70.0');
    put(join(home, '.local/lib/rustlib/components'), '');
    put(join(home, '.local/bin/backup.sh'), CANARY);
    put(join(home, '.local/share/opencode/auth.json'), CANARY);
    const found = await cargo(join(home, '.local/bin'));
    expect(shown(found)).toEqual([join(home, '.local/bin/cargo'), join(home, '.local/lib')]);
    expect(await readable(found?.mounts ?? [])).toBe('looked\n');
  });
});

describe('other tools', () => {
  it('a Python mounts its own directories, not the settings next to them', async () => {
    const prefix = join(home, 'project');
    const answer = { executable: join(prefix, 'bin/python3.99'), prefixes: [prefix], version: '3.99.0', module: null };
    script(join(prefix, 'bin/python3.99'), `echo '${JSON.stringify(answer)}'`);
    put(join(prefix, 'lib/python3.99/os.py'), '');
    put(join(prefix, 'pyvenv.cfg'), '');
    for (const name of ['pip.conf', '.env', 'etc/pip.conf', 'conda-meta/history']) put(join(prefix, name), CANARY);
    const found = await resolveTool('python3.99', { path: join(prefix, 'bin'), cacheDir: null });
    expect(found?.mounts.map(({ source }) => source)).toEqual(
      ['lib', 'bin', 'pyvenv.cfg'].map((name) => join(prefix, name)),
    );
    expect(await readable(found?.mounts ?? [])).toBe('looked\n');
  });

  it('a Python in ~/.local mounts only its libraries', async () => {
    const prefix = join(home, '.local');
    const answer = { executable: join(prefix, 'bin/python3.99'), prefixes: [prefix], version: '3.99.0', module: null };
    script(join(prefix, 'bin/python3.99'), `echo '${JSON.stringify(answer)}'`);
    put(join(prefix, 'lib/python3.99/os.py'), '');
    for (const name of ['bin/deploy', 'share/keyrings/login']) put(join(prefix, name), CANARY);
    const found = await resolveTool('python3.99', { path: join(prefix, 'bin'), cacheDir: null });
    const said = await readable(found?.mounts ?? [], `"${found?.command}" --version | head -c 13; echo`);
    expect(said).toBe('{"executable"\nlooked\n');
  });

  it('a package manager mounts only its package and its own link', async () => {
    const prefix = join(home, '.npm-global');
    const cli = join(prefix, 'lib/node_modules/pm/bin/pm-cli.js');
    put(cli, `#!${process.execPath}\nrequire('../lib/version.js');\n`, 0o755);
    put(join(prefix, 'lib/node_modules/pm/lib/version.js'), "console.log('pm 4.5.6');\n");
    put(join(prefix, 'lib/node_modules/pm/package.json'), '{}');
    for (const name of ['lib/node_modules/pm/npmrc', 'etc/npmrc', 'bin/deploy', '.npmrc'])
      put(join(prefix, name), CANARY);
    symlinkSync('../lib/node_modules/pm/bin/pm-cli.js', join(prefix, 'bin/pm'));
    const found = await resolveTool('pm', { path: join(prefix, 'bin'), cacheDir: null });
    expect(found).toMatchObject({ tool: { version: '4.5.6' }, pathEntries: [join(prefix, 'bin')] });
    const node = await resolveTool('node', { path: dirname(process.execPath), cacheDir: null });
    const said = await readable(
      [...(found?.mounts ?? []), ...(node?.mounts ?? [])],
      `PATH=${join(prefix, 'bin')}:$PATH; pm; ls ${join(prefix, 'bin')}`,
    );
    expect(said).toBe('pm 4.5.6\npm\nlooked\n');
  });

  it('a program in ~/bin mounts only itself', async () => {
    script(join(home, 'bin/tool'), 'echo tool 1.2.3');
    put(join(home, 'bin/deploy'), CANARY);
    const found = await resolveTool('tool', { path: join(home, 'bin'), cacheDir: null });
    expect(await readable(found?.mounts ?? [], found?.command)).toBe('tool 1.2.3\nlooked\n');
  });

  it('a pyenv shim resolves to the selected version', async () => {
    const pyenv = join(home, '.pyenv');
    script(
      join(pyenv, 'libexec/pyenv'),
      `echo "$PYENV_ROOT/versions/\${PYENV_VERSION:-$(/bin/cat ${pyenv}/version)}/bin/$2"`,
    );
    script(join(pyenv, 'shims/pip'), 'exit 1');
    put(join(pyenv, 'version'), '3.11');
    for (const version of ['3.11', '3.12'])
      script(join(pyenv, 'versions', version, 'bin/pip'), `echo pip 23.0 from python ${version}`);
    const pip = async (): Promise<string | undefined> =>
      (await resolveTool('pip', { path: join(pyenv, 'shims'), cacheDir: join(root, 'cache') }))?.command;
    expect(await pip()).toBe(join(pyenv, 'versions/3.11/bin/pip'));
    put(join(pyenv, 'version'), '3.12');
    expect(await pip()).toBe(join(pyenv, 'versions/3.12/bin/pip'));
    vi.stubEnv('PYENV_VERSION', '3.11');
    expect(await pip()).toBe(join(pyenv, 'versions/3.11/bin/pip'));
  });
});

describe('credential files', () => {
  it('are hidden, whichever directory above them is mounted', async () => {
    const cargoHome = join(root, 'elsewhere/cargo');
    const config = join(root, 'settings');
    const env = {
      CARGO_HOME: cargoHome,
      XDG_CONFIG_HOME: config,
      PIP_CONFIG_FILE: join(root, 'odd/pip.ini'),
      NPM_CONFIG_USERCONFIG: join(root, 'odd/npmrc'),
      GOENV: join(root, 'odd/goenv'),
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const places = credentialPlaces(env, home).filter((path) => path.startsWith(`${root}/`));
    expect(places).toEqual(
      expect.arrayContaining([
        join(home, '.npmrc'),
        join(home, '.netrc'),
        join(cargoHome, 'credentials.toml'),
        join(config, 'go/env'),
        join(root, 'odd/pip.ini'),
      ]),
    );
    // As git and the specification have it, an empty variable is none.
    expect(credentialPlaces({ XDG_CONFIG_HOME: '' }, home)).toContain(join(home, '.config', 'go/env'));
    for (const place of places) if (!existsSync(place)) put(place, CANARY);
    put(join(cargoHome, 'registry/cache/words.crate'), 'words');
    const dirs = [cargoHome, config, join(root, 'odd'), join(home, '.cargo'), join(home, '.docker'), join(home, '.m2')];
    const said = await readable([], `cat ${join(cargoHome, 'registry/cache/words.crate')}; echo`, dirs);
    expect(said).toBe('words\nlooked\n');
  });

  it('may be dangling links', async () => {
    symlinkSync('gone', join(home, '.npmrc'));
    expect(await readable([])).toBe('looked\n');
  });

  it('cannot be mounted explicitly', async () => {
    put(join(home, '.npmrc'), CANARY);
    await expect(readable([], 'true', [join(home, '.npmrc')])).rejects.toThrow('which no command may see');
  });

  it.skipIf(process.getuid?.() !== 0)('are hidden below /usr, where rust images keep them (needs root)', async () => {
    const cargoHome = mkdtempSync('/usr/local/cargo-of-a-test-');
    try {
      vi.stubEnv('CARGO_HOME', cargoHome);
      put(join(cargoHome, 'credentials.toml'), CANARY);
      chmodSync(cargoHome, 0o755);
      expect(await readable([], `ls ${cargoHome}`)).toBe('credentials.toml\nlooked\n');
    } finally {
      rmSync(cargoHome, { recursive: true });
    }
  });
});

it('only variables that select programs are passed on', () => {
  const env = {
    RUSTUP_HOME: 'rust',
    RUSTUP_TOOLCHAIN: 'nightly',
    PYENV_VERSION: '3.9.1',
    ASDF_NODEJS_VERSION: '20.1.0',
    CARGO_REGISTRY_TOKEN: 'secret',
    CARGO_REGISTRIES_MINE_TOKEN: 'secret',
    NPM_TOKEN: 'secret',
    GOFLAGS: '-insecure',
    GOAUTH: 'secret',
    PYENV_ROOT: '',
  };
  expect(steeringVariables(env)).toEqual({
    ASDF_NODEJS_VERSION: '20.1.0',
    PYENV_VERSION: '3.9.1',
    RUSTUP_HOME: join(process.cwd(), 'rust'),
    RUSTUP_TOOLCHAIN: 'nightly',
  });
});
