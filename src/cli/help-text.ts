import { type CommandGroup, COMMANDS, GROUPS } from './commands.ts';

const nameWidth = Math.max(...Array.from(COMMANDS.keys(), (name) => name.length));

export const HELP_TEXT = `Seatrial runs coding agents unattended and keeps only what they can prove.

Usage: seatrial <command> [options]

${GROUPS.map(groupHelp).join('\n\n')}

  seatrial help <command>     options of a command; the same as seatrial <command> --help
  seatrial --version

Exit codes: 0 pass, 1 fail (it ran and proved nothing), 2 blocked (no verdict was possible),
3 evidence could not be kept, 64 wrong usage or unreadable input, 74 the result could not be printed.

Try: seatrial run r1-string-slugify
`;

function groupHelp({ title, commands }: CommandGroup): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(nameWidth)}  ${summary}`);
  return [`${title}:`, ...lines].join('\n');
}
