/** What every command finds in its environment unless it is told otherwise. Nothing comes from the caller. */
export function baseEnvironment(home: string, tmp: string): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', TZ: 'UTC' };
}
