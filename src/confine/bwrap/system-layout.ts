import { existsSync, lstatSync, readlinkSync } from 'node:fs';

export type TopDir =
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'dir'; readonly path: string };

/** Directories of the system's own tools. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

const BESIDE_USR = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Paths below /etc that programs need to start and that reveal nothing about the machine's users. */
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

/** Whether /bin, /lib and so on are links into /usr (merged) or separate directories. */
export function readSystemLayout(): readonly TopDir[] {
  return BESIDE_USR.flatMap((path): TopDir[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return [{ kind: 'link', path, to: readlinkSync(path) }];
    return stat?.isDirectory() ? [{ kind: 'dir', path }] : [];
  });
}

/** The subset that exists on this machine. */
export function readHarmlessEtc(): string[] {
  return HARMLESS_ETC.filter((path) => existsSync(path));
}

/** System directories, which every sandbox shows under the same path. */
export function systemDirs(): string[] {
  return ['/usr', ...readSystemLayout().map(({ path }) => path)];
}
