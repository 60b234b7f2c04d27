import { basename } from 'node:path';
import { parseShell } from './shell/parse.ts';
import { matters } from './shell/matters.ts';
import { simpleCommands } from './shell/visit.ts';
import type { AndOr, Sequence, ShellNode, Simple } from './shell/tree.ts';

/** Says whether a simple command runs tests. */
export type RunsTests = (words: readonly string[]) => boolean;

/** Settings of the shell at a place in the command. */
interface Mode {
  /** `set -e`. */
  errexit: boolean;
  /** `set -o pipefail`. */
  pipefail: boolean;
}

/**
 * What a failure at a place does: `counts` makes the whole command fail; `ends` does so where nothing but `set -e` makes
 * it; `lost` does nothing.
 */
type Use = 'counts' | 'ends' | 'lost';

const SHELL = /^(?:ba|da|z|k)?sh$/;

/**
 * The part of a command whose failure the exit code would not show, in words for a person; null: every failure counts.
 * Texts that cannot be read hide nothing that could be named.
 */
export function findHiddenFailure(text: string, runsTests: RunsTests): string | null {
  const tree = parseShell(text);
  return tree === null ? null : new Search(runsTests).sequence(tree, 'counts', { errexit: false, pipefail: false });
}

class Search {
  readonly #runsTests: RunsTests;

  constructor(runsTests: RunsTests) {
    this.#runsTests = runsTests;
  }

  sequence(node: Sequence, use: Use, outer: Mode): string | null {
    const mode = node.scope === 'subshell' ? { ...outer } : outer;
    for (const [index, item] of node.items.entries()) {
      const isLast = index === node.items.length - 1;
      if (item.inBackground && matters(item.node)) return `${item.node.text} & runs in the background`;
      const found = this.#visit(item.node, isLast ? use : mode.errexit ? 'ends' : 'lost', mode);
      if (found !== null) return found;
      if (!isLast && endsWell(item.node)) return `nothing runs after ${item.node.text}`;
    }
    return null;
  }

  #visit(node: ShellNode, use: Use, mode: Mode): string | null {
    switch (node.kind) {
      case 'simple':
        return this.#simple(node, mode) ?? (use === 'lost' && matters(node) ? lost(node) : null);
      case 'sequence':
        return this.sequence(node, use, mode);
      case 'pipeline': {
        if (node.negated && matters(node)) return `! turns the result of ${node.text.replace(/^!\s*/, '')} around`;
        const last = node.stages.length - 1;
        for (const [index, stage] of node.stages.entries()) {
          const found = this.#visit(stage, index === last || mode.pipefail ? use : 'lost', { ...mode });
          if (found !== null) return found;
        }
        return null;
      }
      case 'and_or':
        return this.#andOr(node, use, mode);
      case 'loop':
        return (
          (node.condition === null ? null : this.#visit(node.condition, 'lost', mode)) ??
          this.#visit(node.body, mode.errexit ? 'ends' : 'lost', mode)
        );
      case 'condition': {
        for (const condition of node.conditions) {
          const found = this.#visit(condition, 'lost', mode);
          if (found !== null) return found;
        }
        for (const body of node.bodies) {
          const found = this.#visit(body, use, mode);
          if (found !== null) return found;
        }
        return null;
      }
      case 'definition':
        return this.#visit(node.body, 'counts', { ...mode });
      default:
        return node satisfies never;
    }
  }

  #andOr(node: AndOr, use: Use, mode: Mode): string | null {
    const parts = [{ operator: null, node: node.first }, ...node.rest];
    for (const [index, part] of parts.entries()) {
      const rescuer = parts.slice(index + 1).find(({ operator }) => operator === '||')?.node;
      // Without one, `set -e` looks at the last part of such a list alone.
      const own = use === 'ends' && index < parts.length - 1 ? 'lost' : use;
      const found = this.#visit(part.node, rescuer === undefined ? own : useBefore(rescuer, use), mode);
      if (found === null) continue;
      return rescuer !== undefined && found === lost(part.node)
        ? `${part.node.text} || ${rescuer.text} makes up for a failure`
        : found;
    }
    return null;
  }

  #simple(node: Simple, mode: Mode): string | null {
    for (const word of [...node.words, ...node.assignments.map(({ value }) => value)]) {
      for (const text of word.substitutions) {
        const tests = parseShell(text);
        if (tests !== null && this.#holdsTests(tests)) return `$(${text}) runs tests for their output alone`;
      }
    }
    const words = node.words.map(({ value }) => value ?? '$');
    const [name = '', ...args] = words;
    const program = basename(name);
    if (program === 'set') return applySet(args, mode, node.text);
    if (program === 'trap' && args.some((word) => /^(?:EXIT|0|ERR)$/.test(word)))
      return `${node.text} replaces the exit code`;
    if (program === 'make' && args.some((word) => /^(?:-[a-zA-Z]*i[a-zA-Z]*|--ignore-errors)$/.test(word))) {
      return `${node.text} ignores errors`;
    }
    if (program === 'find' && args.includes('-exec') && args.at(-1) === ';') {
      return `${node.text} does not say whether what it starts failed`;
    }
    if (program === 'script' && !args.some((word) => /^(?:-[a-zA-Z]*e[a-zA-Z]*|--return)$/.test(word))) {
      return `${node.text} does not pass on an exit code`;
    }
    if (program === 'eval') return this.#inner(args.join(' '), mode);
    const shell = words.findIndex((word) => SHELL.test(basename(word)));
    const inner = shell < 0 ? null : commandOfShell(words.slice(shell + 1));
    return inner === null ? null : this.#inner(inner.text, inner.mode);
  }

  #inner(text: string, mode: Mode): string | null {
    const tree = parseShell(text);
    return tree === null ? null : this.sequence(tree, 'counts', { ...mode });
  }

  #holdsTests(node: ShellNode): boolean {
    return simpleCommands(node).some(({ words }) => this.#runsTests(words.map(({ value }) => value ?? '$')));
  }
}

/** `sh -ec '…'`. */
function commandOfShell(args: readonly string[]): { readonly text: string; readonly mode: Mode } | null {
  const mode = { errexit: false, pipefail: false };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) return null;
    if (word.includes('e')) mode.errexit = true;
    if (word.endsWith('o')) {
      at += 1;
      if (args[at] === 'pipefail') mode.pipefail = true;
    } else if (word.includes('c')) {
      return { text: args[at + 1] ?? '', mode };
    }
  }
  return null;
}

function applySet(args: readonly string[], mode: Mode, text: string): string | null {
  for (const [at, word] of args.entries()) {
    if (/^\+[a-zA-Z]*e/.test(word)) return `${text} goes on after a failure`;
    if (/^-[a-zA-Z]*e/.test(word)) mode.errexit = true;
    const option = /^-[a-zA-Z]*o$/.test(word) ? args[at + 1] : undefined;
    if (option === 'pipefail') mode.pipefail = true;
    if (option === 'errexit') mode.errexit = true;
  }
  return null;
}

/** What becomes of a failure that this is called for: `|| exit 1`, `|| { echo no; exit 1; }`, `|| false`, anything else. */
function useBefore(rescuer: ShellNode, use: Use): Use {
  if (rescuer.kind === 'sequence') {
    const last = rescuer.items.at(-1);
    if (last === undefined || last.inBackground) return 'lost';
    const inner = useBefore(last.node, use);
    return rescuer.scope === 'subshell' && inner === 'counts' ? use : inner;
  }
  if (rescuer.kind !== 'simple') return 'lost';
  const [name, code = '0'] = rescuer.words.map(({ text }) => text);
  if (name === 'false') return use;
  return (name === 'exit' || name === 'return') && code !== '0' ? 'counts' : 'lost';
}

/** `exit`, `exit 0`, `exec …`: what comes after it never runs. */
function endsWell(node: ShellNode): boolean {
  if (node.kind !== 'simple') return false;
  const [name, code = '0'] = node.words.map(({ text }) => text);
  return name === 'exit' && code === '0';
}

function lost(node: ShellNode): string {
  return `a failure of ${node.text} is not noticed`;
}
