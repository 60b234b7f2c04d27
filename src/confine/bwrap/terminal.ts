import { isWithin } from '../../kernel/path-text.ts';

/**
 * What a program in a terminal may do below a path. `private`: an empty directory of its own, gone with it. `hidden`: an empty directory or file
 * that cannot be written.
 */
export type Access = 'hidden' | 'private' | 'read' | 'write';

/** The rule of the nearest path above a file decides; of two for the same path, the later one. Real paths of this machine only. */
export interface PathRule {
  readonly path: string;
  readonly access: Access;
  /** Shown at `path` instead of what lies there. */
  readonly source?: string;
  /** For `hidden`. Default: a directory. */
  readonly kind?: 'dir' | 'file';
}

/** Shows `source` at `path`; never hides. */
type Shown = PathRule & { readonly access: 'read' | 'write' };

interface TerminalSandbox {
  /** Null: the machine as it is, with processes of its own. */
  readonly rules: readonly PathRule[] | null;
  readonly cwd: string;
  readonly user: { readonly uid: number; readonly gid: number };
}

/**
 * Without `--new-session`, which would take away the terminal: what runs here reads its keyboard and is told when its size changes. Its processes
 * have their own namespace and die together.
 */
const NAMESPACES = ['--unshare-user', '--unshare-pid', '--die-with-parent', '--cap-drop', 'ALL'];

const depth = ({ path }: PathRule): number => path.split('/').filter((part) => part !== '').length;

/** Rules without repetitions, outer ones first: only what changes something is mounted. */
export function effectiveRules(rules: readonly PathRule[]): readonly PathRule[] {
  const last = new Map(rules.map((rule) => [rule.path, rule]));
  const outerFirst = [...last.values()].sort((a, b) => depth(a) - depth(b));
  return outerFirst.filter((rule) => {
    const above = accessAt(
      outerFirst.filter(({ path }) => path !== rule.path),
      rule.path,
    );
    if (rule.source !== undefined || rule.access === 'private') return true;
    return above !== rule.access && !(rule.access === 'hidden' && above === 'private');
  });
}

/** What may be done at a path. */
export function accessAt(rules: readonly PathRule[], path: string): Access | null {
  let nearest: PathRule | null = null;
  for (const rule of rules)
    if (isWithin(path, rule.path) && (nearest === null || rule.path.length >= nearest.path.length)) nearest = rule;
  return nearest?.access ?? null;
}

/** bubblewrap's options for a program that keeps the terminal it was started in. */
export function terminalArgs({ rules, cwd, user }: TerminalSandbox): string[] {
  const ids = ['--uid', String(user.uid), '--gid', String(user.gid)];
  if (rules === null) return [...NAMESPACES, ...ids, '--dev-bind', '/', '/', '--proc', '/proc', '--chdir', cwd];
  const effective = effectiveRules(rules);
  return [
    ...NAMESPACES,
    '--unshare-ipc',
    ...ids,
    ...effective.filter(({ path }) => path === '/').flatMap(mount),
    '--proc',
    '/proc',
    // A terminal device of its own: those of other panes could be read and written by name.
    '--dev',
    '/dev',
    ...effective.filter(({ path }) => path !== '/').flatMap(mount),
    // At the end: directories for the mounts within were made there.
    ...effective.filter(isEmptyDir).flatMap(({ path }) => ['--remount-ro', path]),
    '--chdir',
    cwd,
  ];
}

const isEmptyDir = ({ access, kind }: PathRule): boolean => access === 'hidden' && kind !== 'file';

function mount(rule: PathRule): string[] {
  switch (rule.access) {
    case 'private':
      return ['--perms', '1777', '--tmpfs', rule.path];
    case 'hidden':
      return rule.kind === 'file' ? ['--ro-bind', '/dev/null', rule.path] : ['--perms', '0755', '--tmpfs', rule.path];
    case 'read':
    case 'write':
      return bind({ ...rule, access: rule.access });
    default:
      return rule.access satisfies never;
  }
}

const bind = ({ access, path, source }: Shown): string[] => [
  access === 'read' ? '--ro-bind' : '--bind',
  source ?? path,
  path,
];

/** Root has another number inside, because programs refuse to work for root; everyone else keeps theirs. */
export function terminalUser(): { readonly uid: number; readonly gid: number } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? { uid: 1000, gid: 1000 } : { uid, gid };
}
