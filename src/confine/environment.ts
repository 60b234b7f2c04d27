/** Default environment of every command. Nothing is inherited from the caller. */
export function baseEnvironment(home: string, tmp: string): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', TZ: 'UTC' };
}
