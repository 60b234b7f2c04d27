import type { RunnerCommand } from '../runners/definition.ts';
import { quoteWord } from './expand/expansion.ts';
import { flatten } from './shell/flatten.ts';
import type { ShellStep } from './test-plan.ts';

/** What runs one text: its program directly where that comes to the same, else the shell. */
export function scriptCommand({ text, dir, env = [], usesNode }: ShellStep): RunnerCommand {
  const where = {
    ...(dir === '' ? {} : { dir }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
  const plain = usesNode ? null : plainCall(text);
  if (plain !== null) return { runner: 'script', ...plain, ...where };
  return {
    runner: 'script',
    // The plain shell of many systems does not know the setting.
    program: /\bpipefail\b/.test(text) ? 'bash' : 'sh',
    args: ['-c', text],
    ...(usesNode ? { alsoStarts: ['node'] } : {}),
    ...where,
  };
}

/** What runs several texts, each after the one before has succeeded. Not without any. */
export function joinedScript(steps: readonly ShellStep[]): RunnerCommand {
  const [first] = steps;
  if (first === undefined) throw new Error('nothing to run');
  if (steps.length === 1) return scriptCommand(first);
  const isOnePlace = steps.every(({ dir, env = [] }) => dir === first.dir && env.length === 0);
  const text = steps.map((step) => (isOnePlace ? grouped(step.text) : placed(step))).join(' && ');
  const usesNode = steps.some((step) => step.usesNode);
  return scriptCommand({ kind: 'shell', text, dir: isOnePlace ? first.dir : '', usesNode, doesNothing: false });
}

function plainCall(text: string): { readonly program: string; readonly args: readonly string[] } | null {
  const [only, ...more] = flatten(text, { text, dir: '' }) ?? [];
  const line = only?.line ?? null;
  if (line === null || more.length > 0 || line.env.length > 0 || line.globs.length > 0) return null;
  // With a redirection or anything else that the words do not hold.
  const [program = '', ...args] = line.words;
  return only?.placed.dir === '' && only.isWhole ? { program, args } : null;
}

/** A list of commands keeps its meaning among others. */
function grouped(text: string): string {
  const parts = flatten(text, { text, dir: '' });
  return parts !== null && parts.length === 1 && parts[0]?.isWhole === true ? text : `(${text}\n)`;
}

function placed({ text, dir, env = [] }: ShellStep): string {
  const sets = env.map(([name, value]) => `export ${name}=${quoteWord(value)} && `).join('');
  return `(${dir === '' ? '' : `cd ${quoteWord(dir)} && `}${sets}${text}\n)`;
}
