import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, resolve } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { GitFault, listConfiguration } from '../git/call.ts';
import { type NamedPath, pathsNamed } from './named-paths.ts';
import { findRepository } from '../repository-files.ts';

/** One setting of git's configuration. */
export interface GitSetting {
  /** The file that contains it; null: the command line. */
  readonly origin: string | null;
  /** Lower case, except for the subsection. */
  readonly key: string;
  readonly value: string;
}

/** What a setting's value is: a hooks directory, a command, or a file with more settings. */
type Names = 'hooks' | 'command' | 'settings';

/** Settings that make git run a program during other commands. */
const NAMING: readonly { readonly names: Names; readonly keys: RegExp }[] = [
  { names: 'hooks', keys: /^core\.hookspath$/ },
  { names: 'settings', keys: /^include(?:if\..*)?\.path$/s },
  { names: 'command', keys: /^filter\..*\.(?:clean|smudge|process)$/s },
  { names: 'command', keys: /^diff\.(?:external|.*\.(?:command|textconv))$/s },
  { names: 'command', keys: /^merge\..*\.driver$/s },
  { names: 'command', keys: /^hook\..*\.command$/s },
  { names: 'command', keys: /^core\.(?:fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand|editor|pager)$/ },
  { names: 'command', keys: /^(?:credential(?:\..*)?\.helper|sequence\.editor|interactive\.difffilter|pager\..*)$/s },
  { names: 'command', keys: /^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/s },
  { names: 'command', keys: /^(?:difftool|mergetool|trailer|tar)\..*\.(?:cmd|command|path)$/s },
  { names: 'command', keys: /^(?:uploadpack\.packobjectshook|submodule\..*\.update)$/s },
];

/** Git's hook names, for a hooks directory that is the root of the tree. */
export const HOOK_NAMES: readonly string[] = `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit
prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive
post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change`.split(
  /\s/,
);

export interface TreePlace {
  /** Root of the repository's work tree. */
  readonly root: string;
  readonly home: string | null;
  /** Whether the base has a file at a path relative to its root. */
  readonly isFile: (path: string) => boolean;
}

/** Paths in a repository's tree that git executes or reads settings from, by its configuration. A trailing slash includes everything below. */
export async function gitPrograms(repo: string, isFile: (path: string) => boolean): Promise<string[]> {
  const { gitDir } = findRepository(repo);
  try {
    const settings = parseGitSettings(await listConfiguration(gitDir));
    return pathsInTree(settings, { root: repo, home: process.env['HOME'] ?? null, isFile });
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError('blocked', `the git configuration of ${repo} cannot be read: ${messageOf(error)}`, error);
  }
}

/** Parses a sequence of `origin NUL key LF value NUL`. */
export function parseGitSettings(output: Buffer): GitSetting[] {
  const parts = output.toString('utf8').split('\0');
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => {
    const [origin = '', text = ''] = parts.slice(index * 2, index * 2 + 2);
    const end = text.includes('\n') ? text.indexOf('\n') : text.length;
    return {
      origin: origin.startsWith('file:') ? origin.slice('file:'.length) : null,
      key: text.slice(0, end),
      value: text.slice(end + 1),
    };
  });
}

export function pathsInTree(settings: readonly GitSetting[], place: TreePlace): string[] {
  const named = settings.flatMap((setting) =>
    NAMING.filter(({ keys }) => keys.test(setting.key)).flatMap(({ names }) => pathsOf(setting, names, place)),
  );
  return [...new Set(named)].toSorted();
}

function pathsOf({ origin, value }: GitSetting, names: Names, place: TreePlace): string[] {
  const { root, home } = place;
  const within = (path: string, from: string): string | null =>
    pathInTree(path.startsWith('~/') && home !== null ? join(home, path.slice(2)) : resolve(from, path), root);
  switch (names) {
    case 'hooks': {
      const dir = within(value, root);
      if (dir === '') return [...HOOK_NAMES];
      return dir === null ? [] : [`${dir}/`];
    }
    case 'settings': {
      const file = within(value, origin === null ? root : dirname(origin));
      return file === null || file === '' ? [] : [file];
    }
    case 'command':
      return pathsNamed(asCommand(value, home), place.isFile).flatMap(({ path, whole }: NamedPath) => {
        const named = within(path, root);
        return named === null || named === '' ? [] : [whole ? `${named}/` : named];
      });
    default:
      return names satisfies never;
  }
}

/** A leading exclamation mark marks a shell command. */
function asCommand(value: string, home: string | null): string {
  return value.replace(/^!/, '').replace(/\$(?:HOME\b|\{HOME\})/g, home ?? '/nonexistent');
}

/** The path relative to `root`, with `/` as separator and '' for the root itself; null: outside of it. */
export function pathInTree(path: string, root: string): string | null {
  const spellings = [relative(root, path), relative(realOf(root), path), relative(realOf(root), realOf(path))];
  const inside = spellings.find((one) => one !== '..' && !one.startsWith('../') && !isAbsolute(one));
  return inside === undefined ? null : posix.normalize(inside).replace(/^\.$/, '');
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
