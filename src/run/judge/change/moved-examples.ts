import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import { docExamples } from '../inline/rust/doc-examples.ts';
import { itemsOf } from '../inline/rust/items.ts';
import type { SyntaxNode } from '../syntax/node.ts';
import { parse } from '../syntax/parse.ts';
import type { RenamedTests } from './renamed-tests.ts';

type Read = (path: string) => string | null;

/** `src/lib.rs - grid::Grid::new (example 2) - compile` */
interface ExampleId {
  readonly id: string;
  readonly file: string;
  readonly owner: string | null;
  readonly name: string;
  readonly number: string;
}

/**
 * Documentation examples of Rust items that moved to another file. Two names mean one example if item and number are the same, only one
 * example matches, and all examples of the item are the same in both files.
 */
export async function findMovedExamples(
  before: readonly RecordedTest[],
  now: readonly RecordedTest[],
  { base, deciding }: { readonly base: Read; readonly deciding: Read },
): Promise<RenamedTests> {
  const [known, reported] = [before, now].map((tests) => new Set(tests.map(({ id }) => id)));
  const gone = before.filter(({ id }) => reported?.has(id) === false).flatMap(({ id }) => readId(id));
  const added = now.filter(({ id }) => known?.has(id) === false).flatMap(({ id }) => readId(id));
  const moved = new Map<string, string>();
  for (const from of gone) {
    const fitting = added.filter((to) => isSameExample(from, to));
    const [to] = fitting;
    if (to === undefined || fitting.length > 1) continue;
    if (gone.filter((other) => isSameExample(other, to)).length > 1) continue;
    const [was, is] = [await examplesOf(from, base(from.file)), await examplesOf(to, deciding(to.file))];
    if (was.length > 0 && was.join('\0') === is.join('\0')) moved.set(from.id, to.id);
  }
  return moved;
}

function readId(id: string): readonly ExampleId[] {
  const [, file, path, number] = /^(\S+\.rs) - (\S+) (\(example \d+\).*)$/.exec(id) ?? [];
  const segments = path?.split('::') ?? [];
  const name = segments.at(-1);
  if (file === undefined || name === undefined || number === undefined) return [];
  return [{ id, file, owner: segments.at(-2) ?? null, name, number }];
}

/** Members move with their type; the module before the type may differ. */
function isSameExample(from: ExampleId, to: ExampleId): boolean {
  if (from.file === to.file || from.name !== to.name || from.number !== to.number) return false;
  const isType = /^[a-z]/.test(from.name) && /^[A-Z]/.test(from.owner ?? '');
  return !isType || from.owner === to.owner;
}

/** The examples of all items of that name, as texts. */
async function examplesOf({ owner, name }: ExampleId, text: string | null): Promise<readonly string[]> {
  const root = text === null ? undefined : (await parse('rust', text))?.root;
  return root === undefined ? [] : examplesIn(root, null, owner, name).toSorted();
}

function examplesIn(
  container: SyntaxNode,
  within: string | null,
  owner: string | null,
  name: string,
): readonly string[] {
  return itemsOf(container).flatMap(({ node, docs }) => {
    const own = node.child('name')?.text ?? node.child('type')?.text.replace(/<.*$/s, '') ?? null;
    const isMeant = own === name && node.type !== 'impl_item' && (within === null || within === owner);
    const body = /^(?:mod|impl|trait)_item$/.test(node.type) ? node.child('body') : null;
    const inner = body === null ? [] : examplesIn(body, node.type === 'mod_item' ? within : own, owner, name);
    const examples = isMeant ? docExamples(docs) : '';
    return examples === '' ? inner : [examples, ...inner];
  });
}
