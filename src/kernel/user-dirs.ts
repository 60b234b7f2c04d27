import { isAbsolute, join } from 'node:path';

/** By kind: the variable of the XDG Base Directory Specification, and the directory below HOME that serves without it. */
const DIRS = {
  config: { variable: 'XDG_CONFIG_HOME', usual: '.config' },
  data: { variable: 'XDG_DATA_HOME', usual: '.local/share' },
  cache: { variable: 'XDG_CACHE_HOME', usual: '.cache' },
} as const;

/**
 * The user's directory for settings, data or caches. The specification says to ignore empty and relative values. Null: neither the
 * variable nor HOME is set.
 */
export function userDir(kind: keyof typeof DIRS, env: Readonly<Record<string, string | undefined>>): string | null {
  const { variable, usual } = DIRS[kind];
  const named = env[variable] ?? '';
  if (isAbsolute(named)) return named;
  const home = env['HOME'] ?? '';
  return home === '' ? null : join(home, usual);
}
