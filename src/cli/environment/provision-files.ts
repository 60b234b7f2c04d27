import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownSecret } from '../../evidence/secrets/variables.ts';
import { allValues } from '../../evidence/secrets/variables.ts';
import type { ProvisionFile } from '../../run/provision/files.ts';

/** Names that need no path, and where their programs look for them below the home directory. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '.npmrc': ['.npmrc'],
  '.yarnrc.yml': ['.yarnrc.yml'],
  'pip.conf': ['.config/pip/pip.conf', '.pip/pip.conf'],
  'uv.toml': ['.config/uv/uv.toml'],
  '.netrc': ['.netrc'],
  '.pypirc': ['.pypirc'],
};

const MAX_BYTES = 1024 * 1024;

/** `~/<path>`, or one of the known names. */
export const PROVISION_FILE = new RegExp(
  `^(?:~/(?!(?:.*/)?\\.\\.(?:/|$)).+|${Object.keys(KNOWN).join('|').replaceAll('.', '\\.')})$`,
);

/** Reads the files that setups are given. `home`: the caller's; null if there is none. */
export function readProvisionFiles(names: readonly string[], home: string | null): readonly ProvisionFile[] {
  return names.map((name) => {
    const places = name.startsWith('~/') ? [name.slice(2)] : (KNOWN[name] ?? []);
    const path = places.find((place) => home !== null && existsSync(join(home, place))) ?? places[0] ?? name;
    return { name, path, content: home === null ? null : read(join(home, path)) };
  });
}

function read(path: string): Buffer | null {
  try {
    return statSync(path).size > MAX_BYTES ? null : readFileSync(path);
  } catch {
    return null;
  }
}

/** Every value in them that could be a credential: what follows `=` or a blank, passwords in URLs, and what is behind base64. */
export function secretsInFiles(files: readonly ProvisionFile[]): readonly KnownSecret[] {
  return files.flatMap(({ name, content }) =>
    allValues(credentialsIn(content?.toString('utf8') ?? '').map((value) => [name, value] as const)),
  );
}

function credentialsIn(text: string): string[] {
  const words = text.split(/[\s"',;<>]+/).flatMap((word) => {
    const value = word.slice(word.indexOf('=') + 1);
    return [value, value.slice(value.lastIndexOf('=', value.length - 3) + 1)];
  });
  const found = words.flatMap((word) => {
    const url = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/@]*)@)?/i.exec(word);
    if (url !== null) return url[1] === undefined ? [] : [url[1], url[1].slice(url[1].indexOf(':') + 1)];
    return word.includes('/') && !/[0-9]/.test(word) ? [] : [word, ...decoded(word)];
  });
  return [...new Set(found)].filter((value) => value !== '');
}

/** `_auth` of an .npmrc is `user:password` in base64. */
function decoded(word: string): string[] {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(word)) return [];
  const text = Buffer.from(word, 'base64').toString('utf8');
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(text) ? [text.slice(text.indexOf(':') + 1)] : [];
}
