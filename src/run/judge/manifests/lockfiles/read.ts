import { isDevelopmentGroup } from '../rules/python-names.ts';
import { goSum } from '../formats/go-sum.ts';
import type { PackageEcosystem } from '../test-tools.ts';
import { textOf } from '../value.ts';
import { readCargoLock } from './cargo-lock.ts';
import { locked, type LockReading } from './locked.ts';
import { readPackageLock } from './package-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock, readUvLock } from './python-lock.ts';
import { readRequirements } from './requirements.ts';
import { readYarnLock } from './yarn-lock.ts';

/** How a file that pins dependencies is read. */
export interface LockfileFormat {
  readonly ecosystem: PackageEcosystem;
  /** Everything in it serves tests and development. */
  readonly isForTests: boolean;
  /** It says which package needs which other one. */
  readonly hasEdges: boolean;
  readonly read: (text: string) => LockReading;
}

const BY_NAME: Readonly<Record<string, Pick<LockfileFormat, 'ecosystem' | 'hasEdges' | 'read'>>> = {
  'package-lock.json': { ecosystem: 'npm', hasEdges: true, read: readPackageLock },
  'npm-shrinkwrap.json': { ecosystem: 'npm', hasEdges: true, read: readPackageLock },
  'pnpm-lock.yaml': { ecosystem: 'npm', hasEdges: true, read: readPnpmLock },
  'yarn.lock': { ecosystem: 'npm', hasEdges: true, read: readYarnLock },
  'uv.lock': { ecosystem: 'python', hasEdges: true, read: readUvLock },
  'poetry.lock': { ecosystem: 'python', hasEdges: true, read: readPoetryLock },
  'Cargo.lock': { ecosystem: 'cargo', hasEdges: true, read: readCargoLock },
  'go.sum': { ecosystem: 'go', hasEdges: false, read: readGoSum },
};
const REQUIREMENTS = /^(?:(.*?)[-_.]?requirements?[-_.]?(.*?))\.(?:txt|in|pip)$/i;

/** Larger ones are no project's. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Null: no lockfile that can be read. */
export function lockfileFormat(path: string): LockfileFormat | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (known !== undefined) return { ...known, isForTests: false, read: bounded(known.read) };
  const dir = /(?:^|\/)requirements\/([^/]+)\.(?:txt|in)$/.exec(path)?.[1];
  const match = REQUIREMENTS.exec(name);
  if (dir === undefined && match === null) return null;
  const isForTests = [dir, match?.[1], match?.[2]].some((word) => word !== undefined && isDevelopmentGroup(word));
  return { ecosystem: 'python', isForTests, hasEdges: false, read: bounded(readRequirements) };
}

const bounded =
  (read: LockfileFormat['read']): LockfileFormat['read'] =>
  (text) =>
    text.length > MAX_LENGTH ? { fault: `is larger than ${MAX_LENGTH} characters` } : read(text);

function readGoSum(text: string): LockReading {
  const reading = goSum.read(text);
  if ('fault' in reading) return reading;
  return {
    packages: [...reading.table].map(([id, hash]) => {
      const [name = '', version = ''] = id.split(' ');
      return locked({ id, name, version, source: { kind: 'registry', origins: [] }, hashes: [textOf(hash)] });
    }),
  };
}
