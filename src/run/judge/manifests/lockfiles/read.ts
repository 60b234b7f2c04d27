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

const BY_NAME: Readonly<Record<string, LockfileFormat>> = {
  'package-lock.json': format('npm', readPackageLock),
  'npm-shrinkwrap.json': format('npm', readPackageLock),
  'pnpm-lock.yaml': format('npm', readPnpmLock),
  'yarn.lock': format('npm', readYarnLock),
  'uv.lock': format('python', readUvLock),
  'poetry.lock': format('python', readPoetryLock),
  'Cargo.lock': format('cargo', readCargoLock),
  'go.sum': { ...format('go', readGoSum), hasEdges: false },
};
const REQUIREMENTS = /^(?:(.*?)[-_.]?requirements?[-_.]?(.*?))\.(?:txt|in|pip)$/i;

/** Larger ones are no project's. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Null: no lockfile that can be read. */
export function lockfileFormat(path: string): LockfileFormat | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name] ?? null;
  const dir = /(?:^|\/)requirements\/([^/]+)\.(?:txt|in)$/.exec(path)?.[1];
  const match = REQUIREMENTS.exec(name);
  if (dir === undefined && match === null) return null;
  const isForTests = [dir, match?.[1], match?.[2]].some((word) => word !== undefined && isDevelopmentGroup(word));
  return { ...format('python', readRequirements), isForTests, hasEdges: false };
}

function format(ecosystem: PackageEcosystem, read: (text: string) => LockReading): LockfileFormat {
  const bounded = (text: string): LockReading =>
    text.length > MAX_LENGTH ? { fault: `is larger than ${MAX_LENGTH} characters` } : read(text);
  return { ecosystem, isForTests: false, hasEdges: true, read: bounded };
}

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
