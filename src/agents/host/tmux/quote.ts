import type { Fence, Guard } from '../port.ts';

/** One argument as tmux's own command parser reads it. */
function quoteArgument(text: string): string {
  if (/^[A-Za-z0-9_@%=:./,+-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

export const commandLine = (command: readonly string[]): string => command.map(quoteArgument).join(' ');

/** Printed by the branch of `if-shell` that was not allowed: both branches exit with 0. */
export const REFUSED = 'seatrial: refused';

/** Commands that run only if a condition holds in that very moment. `target`: the pane that the condition is about. */
export function guarded(condition: string, target: string | null, commands: readonly (readonly string[])[]): string[] {
  return [
    'if-shell',
    ...(target === null ? [] : ['-t', target]),
    '-F',
    condition,
    commands.map(commandLine).join(' ; '),
    commandLine(['display-message', '-p', REFUSED]),
  ];
}

/** User options are the only place in tmux for own values. */
export const fenceOption = (name: string): string => `@seatrial_fence_${name.replaceAll(/[^A-Za-z0-9]/g, '_')}`;

export const fenceHolds = ({ name, value }: Fence): string => `#{==:#{${fenceOption(name)}},${value}}`;

export function guardCondition(session: string, { project, spawn, fence }: Guard): string {
  const parts = [
    `#{==:#{session_name},${session}}`,
    `#{==:#{@seatrial_project},${project}}`,
    ...(spawn === null ? [] : [`#{==:#{@seatrial_spawn},${spawn}}`]),
    ...(fence === null ? [] : [fenceHolds(fence)]),
  ];
  return parts.reduce((all, part) => `#{&&:${all},${part}}`);
}
