import { existsSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import type { RunnerCommand } from '../runners/definition.ts';
import type { JudgeRequest } from '../types.ts';
import { textEntries } from '../../../task/tree/text-entries.ts';

/** The command with patterns replaced by the files they stand for, as a shell does; those that match nothing stay. */
export function expandGlobs(request: JudgeRequest, command: RunnerCommand): RunnerCommand {
  const { globs = [], dir = '' } = command;
  if (globs.length === 0) return command;
  const entries = listEntries(request, dir);
  const args = command.args.flatMap((word) => {
    if (!globs.includes(word)) return [word];
    // A shell knows no pattern across directories.
    const isMatch = picomatch(word.replace(/^\.\//, '').replaceAll('**', '*'));
    const found = entries.filter((path) => isMatch(path));
    return found.length === 0 ? [word] : found;
  });
  return { ...command, args };
}

function listEntries({ workspace, sealedTests }: JudgeRequest, dir: string): readonly string[] {
  const own = entriesBelow(join(workspace, dir));
  if (sealedTests === null || dir !== '') return own;
  const sealed = entriesBelow(sealedTests).map((path) => `tests/${path}`);
  return [...own.filter((path) => !path.startsWith('tests/')), ...sealed].sort();
}

function entriesBelow(root: string): readonly string[] {
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of textEntries(join(root, below))) {
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      found.push(path);
      if (entry.isDirectory()) visit(path);
    }
  };
  if (existsSync(root)) visit('');
  return found.sort();
}
