import type { Table } from '../value.ts';

/** Scripts that npm, pnpm and yarn run of their own accord. */
const LIFECYCLE = new Set([
  'install',
  'prepare',
  'prepublish',
  'prepublishOnly',
  'prepack',
  'postpack',
  'publish',
  'pack',
  'dependencies',
  'test',
  'start',
  'stop',
  'restart',
  'version',
  'uninstall',
]);

/** Whether nothing of the base starts a script of this name: only then may the patch add it. */
export function isFreeScript(name: string, base: Table, patch: Table): boolean {
  if (LIFECYCLE.has(name)) return false;
  const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
  if (hooked !== undefined && (LIFECYCLE.has(hooked) || base.has(hooked) || patch.has(hooked))) return false;
  return [...base.values()].every((text) => typeof text !== 'string' || !mayCall(text, name));
}

/** By name, or by a pattern as `npm-run-all` and its like take them: `test:*`. */
function mayCall(text: string, name: string): boolean {
  return text.split(/[\s'"`;&|()]+/).some((word) => word === name || (word.includes('*') && matches(word, name)));
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
