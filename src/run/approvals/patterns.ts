import type { ToolAction, PermissionRequest } from '../../engines/permission-request.ts';
import { matchGlobs } from '../patch/changes.ts';
import type { ApprovalQuestion } from './question.ts';

/** `all`: the pattern must cover everything that is asked for. `any`: a part of it is enough, and so is a request that does not say. */
export type Coverage = 'all' | 'any';

/** `*` alone means every tool of an agent. What a task or the harness asks for must be named: `deploy`, `land *`. */
export function matchesAction(pattern: string, { from, action }: ApprovalQuestion): boolean {
  if (from === 'task' && pattern.startsWith('*')) return false;
  return wildcard(pattern, ANY_TEXT).test(action);
}

const NAMES_FILES: ReadonlySet<ToolAction> = new Set(['read', 'search', 'edit', 'delete', 'move', 'other']);

export function matchesPaths(glob: string, { action, paths }: PermissionRequest, covers: Coverage): boolean {
  if (!NAMES_FILES.has(action) && paths.length === 0) return false;
  if (paths.length === 0) return covers === 'any';
  const fits = matchGlobs([glob]);
  // `**` allows the workspace, not the machine.
  if (covers === 'all') return paths.every((path) => fits(path) && path.startsWith('/') === glob.startsWith('/'));
  return paths.some(fits);
}

const RUNS_COMMANDS: ReadonlySet<ToolAction> = new Set(['run', 'other']);

export function matchesCommand(pattern: string, { action, command }: PermissionRequest, covers: Coverage): boolean {
  if (command === null) return RUNS_COMMANDS.has(action) && covers === 'any';
  if (covers === 'all') return wildcard(pattern, PLAIN_WORDS).test(command.trim());
  const fits = wildcard(pattern, ANY_TEXT);
  return spellings(command).some((one) => fits.test(one));
}

const ANY_TEXT = '.*';
/** Without characters by which a shell starts another command, redirects or substitutes: `git status*` does not cover `git status; rm x`. */
const PLAIN_WORDS = '[^;&|<>$`()\\n\\r]*';

function wildcard(pattern: string, any: string): RegExp {
  const escaped = pattern.split('*').map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join(any)}$`, 's');
}

/** The command, each command of it that a shell would start, and these without quotes, variables before them and the program's directory. */
function spellings(command: string): readonly string[] {
  const parts = [command, ...command.split(/[;&|(){}`\n\r]+/)];
  const plain = parts.map((part) =>
    part
      .replaceAll(/["'\\]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/^(?:\w+=\S* )+/, ''),
  );
  return [...parts.map((part) => part.trim()), ...plain, ...plain.map((part) => part.replace(/^\S*\//, ''))];
}
