import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { userDir } from '../../kernel/user-dirs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Files and directories with passwords and tokens, relative to the home directory. */
const IN_HOME = [
  '.npmrc .yarnrc .yarnrc.yml .pypirc .pip .netrc _netrc .git-credentials .condarc .continuum .cargo/credentials .cargo/credentials.toml',
  '.cargo/config .cargo/config.toml .docker/config.json .gem/credentials .bundle/config .composer/auth.json .m2/settings.xml .m2/settings-security.xml',
  '.gradle/gradle.properties .ssh .gnupg .aws .azure .kube .pgpass .my.cnf .vault-token .terraformrc .terraform.d/credentials.tfrc.json',
  '.local/share/keyrings .local/share/uv/credentials .local/share/python_keyring',
].flatMap((line) => line.split(' '));

/** The same, relative to the configuration directory. */
const IN_CONFIG = [
  'pip uv/uv.toml go/env git/credentials gh hub gcloud npm pypoetry composer/auth.json containers/auth.json rclone configstore',
].flatMap((line) => line.split(' '));

/** System-wide settings below /usr, which every confined command sees. */
const IN_SYSTEM = [
  '/usr/etc/npmrc',
  '/usr/local/etc/npmrc',
  '/usr/pip.conf',
  '/usr/local/pip.conf',
  '/usr/local/etc/pip.conf',
];

/** Variables that name such a file. */
const BY_VARIABLE = [
  'NPM_CONFIG_USERCONFIG',
  'npm_config_userconfig',
  'NPM_CONFIG_GLOBALCONFIG',
  'npm_config_globalconfig',
  'PIP_CONFIG_FILE',
  'UV_CONFIG_FILE',
  'GOENV',
  'NETRC',
  'DOCKER_CONFIG',
  'CONDARC',
];

/** The credential paths that exist and that the caller can access. */
export function findCredentials(env: Environment, home: string): string[] {
  return credentialPlaces(env, home).filter((path) => existsSync(path));
}

/** Paths that no confined command may see, even in a mounted directory: CARGO_HOME may be in /usr/local. */
export function credentialPlaces(env: Environment, home: string): string[] {
  const config = userDir('config', { ...env, HOME: home }) ?? '/.config';
  const cargo = env['CARGO_HOME'] ?? join(home, '.cargo');
  return [
    ...IN_HOME.map((name) => join(home, name)),
    ...IN_CONFIG.map((name) => join(config, name)),
    ...['credentials', 'credentials.toml', 'config', 'config.toml'].map((name) => join(cargo, name)),
    ...IN_SYSTEM,
    ...BY_VARIABLE.flatMap((name) => env[name] ?? []),
  ].filter((path) => path.startsWith('/'));
}

/** Names of such files in other locations, such as a package manager's directory. */
const NAMES = new Set(
  'npmrc .npmrc .yarnrc .yarnrc.yml .pypirc pip.conf pip.ini .netrc _netrc .git-credentials credentials credentials.toml .condarc condarc'.split(
    ' ',
  ),
);

export function isCredentialFile(name: string): boolean {
  return NAMES.has(name);
}

/** The path itself, or, if it holds files named like credentials, its other entries. */
export function pathsWithoutCredentials(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const names = readdirSync(path);
  return names.some(isCredentialFile)
    ? names.filter((name) => !isCredentialFile(name)).map((name) => join(path, name))
    : [path];
}
