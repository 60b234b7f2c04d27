import type { Expander, PlacedText } from './expansion.ts';

const JUSTFILES = ['justfile', 'Justfile', '.justfile'];

/** `just test`: the recipe of the base's justfile, where it has no parameters and no interpolation. */
export const expandJust: Expander = (line, dir, files) => {
  const [program, name, ...more] = line.words;
  if (program !== 'just' || more.length > 0 || name?.startsWith('-') === true) return null;
  const at = (file: string): string => (dir === '' ? file : `${dir}/${file}`);
  const text = JUSTFILES.map((file) => files.command(at(file))).find((found) => found !== null);
  if (text === undefined || text === null || /^(?:set\s+(?:shell|positional)|import|mod)\b/m.test(text)) return null;
  const recipes = readRecipes(text);
  const [first] = recipes.keys();
  return plan(recipes, name ?? first ?? '', dir, 0);
};

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

function plan(recipes: ReadonlyMap<string, Recipe>, name: string, dir: string, depth: number): ReturnType<Expander> {
  const recipe = recipes.get(name);
  if (recipe === undefined || depth > recipes.size) return null;
  const texts: PlacedText[] = [];
  for (const need of recipe.needs) {
    const found = plan(recipes, need, dir, depth + 1);
    if (found?.kind !== 'texts') return found;
    texts.push(...found.texts);
  }
  for (const line of recipe.lines) {
    const [, prefix = '', text = ''] = /^([@-]*)\s*(.*)$/s.exec(line) ?? [];
    if (text.includes('{{') || text.startsWith('#!')) return null;
    if (prefix.includes('-')) return { kind: 'hides', why: `the recipe of ${name} ignores a failure of: ${text}` };
    texts.push({ text, dir });
  }
  return { kind: 'texts', texts, usesNode: false };
}

function readRecipes(text: string): Map<string, Recipe> {
  const recipes = new Map<string, Recipe>();
  let lines: string[] | null = null;
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const heading = /^@?([\w-]+)\s*:(?!=)\s*([\w\s-]*)$/.exec(line);
    if (heading !== null) {
      lines = [];
      recipes.set(heading[1] ?? '', { needs: (heading[2] ?? '').split(/\s+/).filter((word) => word !== ''), lines });
    } else if (/^\s+\S/.test(line)) {
      lines?.push(line.trim());
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      lines = null;
    }
  }
  return recipes;
}
