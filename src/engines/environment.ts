/** What every engine finds around it: built from nothing, the same on every machine. */
export function plainEnvironment(at: (insidePath: string) => string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: at('/home/agent'),
    TMPDIR: at('/tmp'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GIT_AUTHOR_NAME: 'agent',
    GIT_AUTHOR_EMAIL: 'agent@localhost',
    GIT_COMMITTER_NAME: 'agent',
    GIT_COMMITTER_EMAIL: 'agent@localhost',
  };
}
