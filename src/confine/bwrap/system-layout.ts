import { existsSync, lstatSync, readlinkSync } from 'node:fs';

export type TopDir =
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Where a system's own tools lie. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

const BESIDE_USR = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Parts of /etc that programs need to start and that say nothing about this machine's people. */
const HARMLESS_ETC = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/nsswitch.conf',
  '/etc/localtime',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/tls/openssl.cnf',
  '/etc/pki/ca-trust/extracted',
  '/etc/crypto-policies',
  '/etc/mime.types',
];

/** How this machine arranges what belongs to /usr: by links (merged) or by folders of their own. */
export function readSystemLayout(): readonly TopDir[] {
  return BESIDE_USR.flatMap((path): TopDir[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return [{ kind: 'link', path, to: readlinkSync(path) }];
    return stat?.isDirectory() ? [{ kind: 'folder', path }] : [];
  });
}

/** Those of them that this machine has. */
export function readHarmlessEtc(): string[] {
  return HARMLESS_ETC.filter((path) => existsSync(path));
}

/** Everything that is shown inside under its own name anyway. */
export function systemDirs(): string[] {
  return ['/usr', ...readSystemLayout().map(({ path }) => path)];
}
