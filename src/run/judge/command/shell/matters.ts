import { basename } from 'node:path';
import type { ShellNode } from './tree.ts';
import { simpleCommands } from './visit.ts';

/** Programs whose failure says nothing about the code: they print, clean up, or set the scene. */
const HARMLESS = new Set(
  ': true echo printf cd set export unset readonly local shopt umask ulimit alias rm rmdir rimraf del-cli mkdir mkdirp touch clear sleep date pwd ls cat yes which type hash kill wait tput exit return break continue [ [[ test'.split(
    ' ',
  ),
);

/** What runs in it says something about the code. */
export function matters(node: ShellNode): boolean {
  return simpleCommands(node).some(({ words }) => {
    const [name, first] = words.map(({ value }) => value ?? '$');
    if (name === 'command') return first === undefined || !/^-[vV]$/.test(first);
    return name !== undefined && !HARMLESS.has(basename(name));
  });
}
