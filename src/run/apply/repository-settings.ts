/** One setting of a repository's configuration, from any of its files. */
export interface RepositorySetting {
  /** As git prints it: section and variable in lower case. */
  readonly name: string;
  /** Null: the variable has no `=`, which means true. */
  readonly value: string | null;
}

/** Parses `git config --list --null`: name, line break and value, terminated by NUL. */
export function parseSettings(listing: string): readonly RepositorySetting[] {
  return listing
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end === -1 ? { name: entry, value: null } : { name: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}

/** The value that git would use; undefined: not set. */
export function lastValue(settings: readonly RepositorySetting[], name: string): string | null | undefined {
  return settings.findLast((setting) => setting.name === name)?.value;
}

/** A boolean as git reads it. */
export function isOn(value: string | null | undefined): boolean {
  return value === null || (value !== undefined && /^(true|yes|on|-?0*[1-9]\d*)$/i.test(value));
}

/**
 * Settings that affect the files of a work tree: line endings, modes, links, sparse checkout, permissions of new objects. None
 * of them names a program.
 */
const FILE_SETTINGS: ReadonlySet<string> = new Set([
  'core.autocrlf',
  'core.checkstat',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.sharedrepository',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.symlinks',
  'core.trustctime',
  'index.sparse',
  'index.version',
]);

/** The settings that our own git directory copies from the repository, as `name=value`. */
export function fileSettings(settings: readonly RepositorySetting[]): readonly string[] {
  return settings.filter(({ name }) => FILE_SETTINGS.has(name)).map(({ name, value }) => `${name}=${value ?? 'true'}`);
}

/** Names of the filters that would run a program when a file is checked out. */
export function filtersWithProgram(settings: readonly RepositorySetting[]): ReadonlySet<string> {
  const names = settings.flatMap(({ name, value }) => {
    const filter = /^filter\.(.+)\.(?:smudge|process)$/s.exec(name)?.[1];
    return filter === undefined || value === null || value === '' ? [] : [filter];
  });
  return new Set(names);
}

/** Names of the hooks defined in the configuration itself, which git supports since 2.54. */
export function configuredHooks(settings: readonly RepositorySetting[]): readonly string[] {
  const names = settings.flatMap(({ name }) => /^hook\.(.+)\.[^.]+$/s.exec(name)?.[1] ?? []);
  return [...new Set(names)];
}
