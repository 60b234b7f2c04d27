import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where caches are mounted in every sandbox of a run. */
export const PROVISION = '/provision';

/** Variables that set where programs cache downloads, with the directory below `PROVISION`. */
const KEPT_CACHES: Readonly<Record<string, string>> = {
  CARGO_HOME: 'cargo',
  GOMODCACHE: 'go',
  YARN_GLOBAL_FOLDER: 'yarn',
  COREPACK_HOME: 'corepack',
  PLAYWRIGHT_BROWSERS_PATH: 'browsers',
};

const QUIET = {
  CI: '1',
  COREPACK_DEFAULT_TO_LATEST: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  GOTOOLCHAIN: 'local',
  NO_UPDATE_NOTIFIER: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  UV_LINK_MODE: 'copy',
  UV_PYTHON_DOWNLOADS: 'never',
  YARN_ENABLE_TELEMETRY: '0',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

const OFFLINE = {
  CARGO_NET_OFFLINE: 'true',
  COREPACK_ENABLE_NETWORK: '0',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  PIP_NO_INDEX: '1',
  UV_NO_SYNC: '1',
  UV_OFFLINE: '1',
  YARN_ENABLE_NETWORK: '0',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

const BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];

/** The certificate authorities of this machine. Some package managers use only their own list unless told otherwise. */
export function trustedAuthorities(): Record<string, string> {
  const bundle = BUNDLES.find((path) => existsSync(path));
  if (bundle === undefined) return {};
  const variables = ['NODE_EXTRA_CA_CERTS', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE'];
  return Object.fromEntries(variables.map((name) => [name, bundle]));
}

/** For the setup command. `provision` is the path of `PROVISION` inside the sandbox. */
export function setupEnvironment(provision: string): Record<string, string> {
  const caches = Object.entries(KEPT_CACHES).map(([name, dir]): [string, string] => [name, `${provision}/${dir}`]);
  // Read-only directories could not be removed.
  return { ...QUIET, GOFLAGS: '-modcacherw', ...Object.fromEntries(caches) };
}

/** For engine and judge: uses the caches, offline. `dir` is the directory of the caches on this machine. */
export function laterEnvironment(provision: string, dir: string): Record<string, string> {
  const caches = Object.entries(KEPT_CACHES)
    .filter(([, name]) => existsSync(join(dir, name)))
    .map(([variable, name]): [string, string] => [variable, `${provision}/${name}`]);
  return { ...OFFLINE, ...Object.fromEntries(caches) };
}
