/** Where commands find the system's programs. */
export const SANDBOX_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Settings of git for every command: who commits, unless a repository or a variable says otherwise. */
export const GIT_SETTINGS = '[user]\n\tname = agent\n\temail = agent@localhost\n';

export interface EnvironmentPlaces {
  readonly home: string;
  readonly tmp: string;
  /** A file with `GIT_SETTINGS`. */
  readonly gitSettings: string;
}

/** Default environment of every command. Nothing is inherited from the caller. */
export function baseEnvironment({ home, tmp, gitSettings }: EnvironmentPlaces): Record<string, string> {
  return {
    PATH: SANDBOX_PATH,
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/sh',
    USER: 'agent',
    LOGNAME: 'agent',
    GIT_CONFIG_SYSTEM: gitSettings,
  };
}
