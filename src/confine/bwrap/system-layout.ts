import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export type TopDir =
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'dir'; readonly path: string };

/** Directories of the system's own tools. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

const SYSTEM_DIRS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

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
  return SYSTEM_DIRS.flatMap((path) => topDir(path, path));
}

function topDir(source: string, path: string): TopDir[] {
  const stat = lstatSync(source, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return [{ kind: 'link', path, to: readlinkSync(source) }];
  return stat?.isDirectory() ? [{ kind: 'dir', path }] : [];
}

/** The subset that exists on this machine. */
export function readHarmlessEtc(): string[] {
  return [...HARMLESS_ETC.filter((path) => existsSync(path)), ...settingsOfJava('/etc')];
}

/** Where distributions keep what no program of Java starts without. What manages such programs may hold passwords. */
export function settingsOfJava(etc: string): string[] {
  const dirs = readdirSync(etc).filter((name) => /^java-.*openjdk/.test(name));
  return dirs.flatMap((dir) =>
    readdirSync(join(etc, dir)).flatMap((name) => (name === 'management' ? [] : [join(etc, dir, name)])),
  );
}

/** System directories, which every sandbox shows under the same path, unless an image takes their place. */
export function systemDirs(): string[] {
  return readSystemLayout().map(({ path }) => path);
}

/** Laid out by the sandbox itself, whatever an image has there. */
const OF_SANDBOX = new Set(
  'proc sys dev run tmp home boot workspace artifacts solution engine port provision judge build tests logs oracle attempts'.split(
    ' ',
  ),
);

/** The same of the root of an image: everything in it that the sandbox does not lay out itself. */
export function readImageLayout(root: string): readonly TopDir[] {
  return readdirSync(root)
    .filter((name) => !OF_SANDBOX.has(name))
    .sort()
    .flatMap((name) => topDir(join(root, name), `/${name}`));
}
