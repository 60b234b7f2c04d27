import { parseDocument, patch, type TomlDocument } from '@decimalturn/toml-patch';
import { parse } from 'smol-toml';
import * as z from 'zod/mini';
import { SeatrialError } from '../../kernel/errors.ts';

interface NewEntry {
  readonly name: string;
  readonly path: string | null;
  readonly repo: string | null;
  readonly enabled: boolean;
  readonly pin: string | null;
}

/** fleet.toml with one project more at its end; everything before stays as it is. */
export function withProject(text: string, { name, path, repo, enabled, pin }: NewEntry): string {
  const lines = [
    '[[projects]]',
    `name = ${JSON.stringify(name)}`,
    ...(path === null ? [] : [`path = ${JSON.stringify(path)}`]),
    ...(repo === null ? [] : [`repo = ${JSON.stringify(repo)}`]),
    ...(enabled ? [] : ['enabled = false']),
    ...(pin === null ? [] : [`pin = ${JSON.stringify(pin)}`]),
    '',
  ];
  if (blocksOf(text).length === 0 && 'projects' in parse(text))
    throw new SeatrialError(
      'usage',
      'fleet.toml has `projects = [ … ]`; write them as [[projects]] tables, or add it by hand',
    );
  const gap = text === '' ? '' : text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${lines.join('\n')}`;
}

const list = z.looseObject({ projects: z.array(z.looseObject({})) });

/** fleet.toml without the project at that place; comments above its table stay. */
export function withoutProject(text: string, index: number): string {
  const block = blocksOf(text)[index];
  if (block === undefined) {
    const value = list.parse(parse(text));
    return patch(text, { ...value, projects: value.projects.filter((_, at) => at !== index) });
  }
  const lines = text.split('\n');
  let end = block.lastLine;
  if (lines[end]?.trim() === '' && (block.firstLine === 1 || lines[block.firstLine - 2]?.trim() === '')) end += 1;
  return [...lines.slice(0, block.firstLine - 1), ...lines.slice(end)].join('\n');
}

type Block = TomlDocument['cst'][number];
const isTableArray = (block: { readonly type: string }): block is Extract<Block, { type: 'TableArray' }> =>
  block.type === 'TableArray';
const isKeyValue = ({ type }: { readonly type: string }): boolean => type === 'KeyValue';

/** First and last line, from 1, of each `[[projects]]`. */
function blocksOf(text: string): { readonly firstLine: number; readonly lastLine: number }[] {
  return parseDocument(text)
    .cst.filter(isTableArray)
    .filter(({ key }) => key.item.value.join('.') === 'projects')
    .map(({ items, key, loc }) => {
      const last = items.filter(isKeyValue).at(-1) ?? key;
      return { firstLine: loc.start.line, lastLine: last.loc.end.line };
    });
}
