import type { BaseFiles } from '../base-files.ts';
import type { CommandLine } from '../command-line.ts';
import { below, type Expander, type Expansion, type PlacedText, quoteWord } from './expansion.ts';
import { type ManagerCall, readManagerCall } from './manager-call.ts';
import { readPackage } from './package-json.ts';
import { listMembers, type WorkspaceMember, selectMembers } from './workspaces.ts';

/**
 * `npm test` and the like, replaced by what they would run: a package manager reads configuration from the tree that can make any
 * script exit 0.
 */
export const expandPackageManager: Expander = (line, dir, files) => {
  const call = readManagerCall(line.words);
  if (call === null) return null;
  const root = call.dir === null ? dir : below(dir, call.dir);
  if (root === null) return null;
  const { members } = call;
  if (members === null) return inPackage(call, root, files, line);
  const all = listMembers(files, root);
  const chosen = members === 'all' ? all : selectMembers(all, root, members);
  if (chosen === null) return null;
  if (chosen.length === 0)
    return { kind: 'missing', what: `no package of the workspace matches: ${line.words.join(' ')}` };
  return inMembers(call, chosen, root, files, line);
};

function inMembers(
  call: ManagerCall,
  members: readonly WorkspaceMember[],
  root: string,
  files: BaseFiles,
  line: CommandLine,
): Expansion | null {
  const texts: PlacedText[] = [];
  for (const dir of [...members.map((member) => member.dir), ...(call.withRoot ? [root] : [])]) {
    const has = Object.hasOwn(readPackage(files, dir).scripts ?? {}, call.verb ?? '');
    if (!has && call.skipsMissing) continue;
    const expansion = inPackage(call, dir, files, line);
    if (expansion?.kind !== 'texts') return expansion;
    texts.push(...expansion.texts);
  }
  if (texts.length === 0)
    return { kind: 'missing', what: `no package of the workspace has a script: ${call.verb ?? ''}` };
  return { kind: 'texts', texts, usesNode: true };
}

function inPackage(call: ManagerCall, dir: string, files: BaseFiles, line: CommandLine): Expansion | null {
  const scripts = readPackage(files, dir).scripts ?? {};
  const { verb, words } = call;
  if (verb === null) return null;
  const own = Object.hasOwn(scripts, verb) ? scripts[verb] : undefined;
  if (own === undefined && !call.isScript) {
    // `yarn jest` and `pnpm jest` start a program of node_modules.
    return { kind: 'line', line: { ...line, words: [verb, ...words] } };
  }
  if (own === undefined) {
    if (call.ifPresent) return { kind: 'texts', texts: [{ text: ':', dir }], usesNode: true };
    return { kind: 'missing', what: `no script named ${verb} in ${dir === '' ? '' : `${dir}/`}package.json` };
  }
  const main = [own, ...words.map(quoteWord)].join(' ');
  const around = call.ignoresHooks ? [main] : [scripts[`pre${verb}`], main, scripts[`post${verb}`]];
  const texts = around.flatMap((text) => (text === undefined ? [] : [{ text, dir }]));
  return { kind: 'texts', texts, usesNode: true };
}
