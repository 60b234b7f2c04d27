import { parseDocument, type TomlDocument } from '@decimalturn/toml-patch';

type Block = TomlDocument['cst'][number];
type KeyValue = Extract<Block, { type: 'KeyValue' }>;
type Table = Extract<Block, { type: 'Table' }>;
type TableArray = Extract<Block, { type: 'TableArray' }>;
type InlineTable = Extract<KeyValue['value'], { type: 'InlineTable' }>;
type InlineArray = Extract<KeyValue['value'], { type: 'InlineArray' }>;
type Node = { readonly type: string };

export type TomlPath = readonly (string | number)[];

interface Located {
  readonly path: TomlPath;
  readonly line: number;
  readonly column: number;
}

/** Line and column, from 1, of a key or of the nearest table around it. Null: the text does not have even that. */
export function positionInToml(text: string, path: TomlPath): Pick<Located, 'line' | 'column'> | null {
  const keys = locateKeys(text);
  for (let length = path.length; length > 0; length -= 1) {
    const found = keys.find((key) => isSame(key.path, path.slice(0, length)));
    if (found !== undefined) return { line: found.line, column: found.column };
  }
  return null;
}

const isSame = (a: TomlPath, b: TomlPath): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);

function locateKeys(text: string): readonly Located[] {
  const elements = new Map<string, number>();
  // `[rules.x]` after `[[rules]]` belongs to the last element.
  const resolve = (names: readonly string[]): TomlPath => {
    const path: (string | number)[] = [];
    for (const name of names) {
      path.push(name);
      const last = elements.get(JSON.stringify(path));
      if (last !== undefined) path.push(last);
    }
    return path;
  };
  return parseDocument(text).cst.flatMap((block): Located[] => {
    if (isKeyValue(block)) return keysOf(block, []);
    if (isTable(block)) {
      const path = resolve(block.key.item.value);
      return [at(path, block.key.item), ...keysIn(block.items, path)];
    }
    if (!isTableArray(block)) return [];
    const names = block.key.item.value;
    const path = [...resolve(names.slice(0, -1)), ...names.slice(-1)];
    const index = (elements.get(JSON.stringify(path)) ?? -1) + 1;
    elements.set(JSON.stringify(path), index);
    const element = [...path, index];
    return [at(path, block.key.item), at(element, block.key.item), ...keysIn(block.items, element)];
  });
}

function keysIn(items: readonly Node[], path: TomlPath): Located[] {
  return items.filter(isKeyValue).flatMap((item) => keysOf(item, path));
}

const isTable = (item: Node): item is Table => item.type === 'Table';
const isTableArray = (item: Node): item is TableArray => item.type === 'TableArray';
const isKeyValue = (item: Node): item is KeyValue => item.type === 'KeyValue';

function keysOf({ key, value }: KeyValue, around: TomlPath): Located[] {
  const path = [...around, ...key.value];
  return [at(path, key), ...keysOfValue(value, path)];
}

function keysOfValue(value: Node, path: TomlPath): Located[] {
  if (isInlineTable(value))
    return keysIn(
      value.items.map(({ item }) => item),
      path,
    );
  if (!isInlineArray(value)) return [];
  return value.items.flatMap(({ item }, index) => {
    const element = [...path, index];
    return [at(element, item), ...keysOfValue(item, element)];
  });
}

const isInlineTable = (value: Node): value is InlineTable => value.type === 'InlineTable';
const isInlineArray = (value: Node): value is InlineArray => value.type === 'InlineArray';

function at(
  path: TomlPath,
  { loc }: { readonly loc: { readonly start: { readonly line: number; readonly column: number } } },
): Located {
  return { path, line: loc.start.line, column: loc.start.column + 1 };
}
