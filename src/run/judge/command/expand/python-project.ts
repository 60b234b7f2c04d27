import { parse as parseToml } from 'smol-toml';
import * as z from 'zod/mini';
import type { BaseFiles } from '../base-files.ts';
import { type Expander, type Expansion, quoteWord } from './expansion.ts';

const script = z.union([
  z.string(),
  z.array(z.string()),
  z.object({ cmd: z.union([z.string(), z.array(z.string())]) }),
]);
const scripts = z.optional(z.record(z.string(), z.unknown()));
const project = z.object({
  tool: z.optional(
    z.object({
      hatch: z.optional(
        z.object({ envs: z.optional(z.record(z.string(), z.object({ scripts: z.optional(scripts) }))) }),
      ),
      pdm: z.optional(z.object({ scripts })),
      poe: z.optional(z.object({ tasks: scripts })),
    }),
  ),
});
const pipfile = z.object({ scripts });

/** `hatch run test`, `pdm run test`, `pipenv run test`, `poe test`: what the base's settings name so. */
export const expandPythonProject: Expander = (line, dir, files) => {
  const [program = '', verb, ...args] = line.words;
  const named = program === 'poe' ? verb : verb === 'run' ? args[0] : undefined;
  const words = program === 'poe' ? args : args.slice(1);
  if (named === undefined || named.startsWith('-')) return null;
  const text = scriptText(named, scriptsFor(program, named, dir, files));
  if (text === null) return null;
  return asTexts(text, words, dir);
};

type Scripts = Readonly<Record<string, unknown>> | undefined;

function scriptsFor(program: string, named: string, dir: string, files: BaseFiles): Scripts {
  const at = (name: string): string => (dir === '' ? name : `${dir}/${name}`);
  switch (program) {
    case 'hatch':
      return readToml(files.command(at('pyproject.toml')), project)?.tool?.hatch?.envs?.[
        named.includes(':') ? (named.split(':')[0] ?? '') : 'default'
      ]?.scripts;
    case 'pdm':
      return readToml(files.command(at('pyproject.toml')), project)?.tool?.pdm?.scripts;
    case 'poe':
      return readToml(files.command(at('pyproject.toml')), project)?.tool?.poe?.tasks;
    case 'pipenv':
      return readToml(files.command(at('Pipfile')), pipfile)?.scripts;
    default:
      return undefined;
  }
}

/** One text a command. */
function scriptText(named: string, known: Scripts): readonly string[] | null {
  const name = named.slice(named.indexOf(':') + 1);
  const parsed = script.safeParse(known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined);
  if (!parsed.success) return null;
  const { data } = parsed;
  if (typeof data === 'string') return [data];
  if (Array.isArray(data)) return data;
  return [typeof data.cmd === 'string' ? data.cmd : data.cmd.map(quoteWord).join(' ')];
}

function asTexts(texts: readonly string[], words: readonly string[], dir: string): Expansion | null {
  const more = words.map(quoteWord).join(' ');
  const filled = texts.map((text) =>
    text.replaceAll(/\{args(?::([^}]*))?\}/g, (_, usual?: string) => more || (usual ?? '')),
  );
  // Words go to the last command where no place is marked for them.
  const hasPlace = texts.some((text) => /\{args/.test(text));
  const placed = filled.map((text, at) =>
    hasPlace || at < filled.length - 1 || more === '' ? text : `${text} ${more}`,
  );
  if (placed.some((text) => /\{\w+(?::[^}]*)?\}/.test(text))) return null;
  return { kind: 'texts', texts: placed.map((text) => ({ text: text.trim(), dir })), usesNode: false };
}

function readToml<T extends z.ZodMiniType>(text: string | null, schema: T): z.infer<T> | undefined {
  try {
    return text === null ? undefined : schema.parse(parseToml(text));
  } catch {
    return undefined;
  }
}
