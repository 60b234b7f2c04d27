import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { type Entry, numberKeys, spliceEntries } from '../entries.ts';
import { type Changes, joinChanges, NO_CHANGES } from '../changes.ts';
import { conditionsOf } from './attributes.ts';
import { isForTestsAlone, isLeftOutOfTests } from './cfg.ts';
import { docExamples } from './doc-examples.ts';
import { placeBeforeItems, innerAttributesOf, innerDocsOf, type Item, itemsOf } from './items.ts';
import { hasMixedTests, isTestItem, testMacrosIn } from './tests.ts';

/** `#![cfg(test)]`: the whole file is a test. */
export function isTestFile(root: SyntaxNode): boolean {
  return isForTestsAlone(conditionsOf(innerAttributesOf(root)));
}

/** Puts the base's inline tests and doctests into the patch's file. */
export function spliceRust(base: SyntaxNode, patch: SyntaxNode): Changes {
  const ours = testMacrosIn(base);
  return spliceContainer(base, patch, { ours, theirs: new Set([...ours, ...testMacrosIn(patch)]) });
}

/** Macros that make tests, by the base and by either. */
interface TestMacros {
  readonly ours: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
}

interface RustEntry extends Entry {
  readonly item: Item;
}

/** `base`: null for a module or an `impl` that the patch adds. Its tests are taken out. */
function spliceContainer(base: SyntaxNode | null, patch: SyntaxNode, macros: TestMacros): Changes {
  const ours = base === null ? [] : entriesOf(base, macros.ours);
  const theirs = entriesOf(patch, macros.theirs);
  const { edits, restored, removed } = spliceEntries(ours, theirs, placeBeforeItems(patch));
  return joinChanges([
    { edits, restored: restored.map(({ key }) => key), removed: removed.map(({ key }) => key), lost: [] },
    { ...NO_CHANGES, edits: demotePromoted(ours, theirs) },
    { ...NO_CHANGES, ...(base === null ? {} : spliceInnerDocs(base, patch)) },
    ...theirs
      .filter((entry) => !entry.isTest && !ours.some((one) => !one.isTest && one.key === entry.key))
      .map(({ item }) => bodyOf(item.node))
      .map((body) => (body === null ? NO_CHANGES : spliceContainer(null, body, macros))),
    ...ours.filter(({ isTest }) => !isTest).map((entry) => spliceProduct(entry, theirs, patch, macros)),
  ]);
}

/** Keys of tests and of other items are numbered apart: a patch that adds one of the latter does not shift the former. */
function entriesOf(container: SyntaxNode, testMacros: ReadonlySet<string>): readonly RustEntry[] {
  const entries = itemsOf(container).map((item) => ({
    key: item.key,
    isTest: isTestItem(item, testMacros),
    start: item.start,
    end: item.end,
    text: item.node.source.slice(item.start, item.end),
    item,
  }));
  const numbered = [true, false].flatMap((isTest) => numberKeys(entries.filter((entry) => entry.isTest === isTest)));
  return numbered.toSorted((a, b) => a.start - b.start);
}

/** A thing of this kind cannot be there twice under one name. */
const NAMED = /^(?:mod|function|struct|enum|union|type|const|static|trait|macro|use|extern_crate) (?!_$)/;

/**
 * What the base has for its tests alone, and the patch for the product too: in tests the base's counts, so the patch's is
 * left to all else.
 */
function demotePromoted(base: readonly RustEntry[], patch: readonly RustEntry[]): readonly Edit[] {
  const tests = new Set(base.filter(({ isTest }) => isTest).map(({ item }) => item.key));
  const products = new Set(base.filter(({ isTest }) => !isTest).map(({ text }) => text));
  return patch
    .filter(({ isTest, item, text }) => !isTest && NAMED.test(item.key) && tests.has(item.key) && !products.has(text))
    .filter(({ item }) => !isLeftOutOfTests(conditionsOf(item.attributes)))
    .map(({ start }) => ({ start, end: start, text: '#[cfg(not(test))] ' }));
}

/** Tests and examples inside of something of the product. */
function spliceProduct(
  { key, item }: RustEntry,
  theirs: readonly RustEntry[],
  patch: SyntaxNode,
  macros: TestMacros,
): Changes {
  const same = theirs.find((entry) => !entry.isTest && entry.key === key);
  if (hasMixedTests(item)) {
    return theirs.some(({ text }) => text === item.node.text)
      ? NO_CHANGES
      : { ...NO_CHANGES, lost: [`tests in ${key.slice(0, 60)}`] };
  }
  const body = bodyOf(item.node);
  const theirBody = same === undefined ? null : bodyOf(same.item.node);
  if (same === undefined || (body !== null && theirBody === null)) return loseItem(key, item, patch, macros);
  return joinChanges([
    spliceDocs(key, item, same.item),
    ...(body !== null && theirBody !== null ? [spliceContainer(body, theirBody, macros)] : []),
    ...fieldsOf(item.node).map((field) => spliceField(key, field, fieldsOf(same.item.node))),
  ]);
}

const bodyOf = (node: SyntaxNode): SyntaxNode | null =>
  /^(?:mod|impl|trait)_item$/.test(node.type) ? node.child('body') : null;

/** Fields and variants have no tests, but may have examples. */
function fieldsOf(node: SyntaxNode): readonly Item[] {
  const body = /^(?:struct|enum|union)_item$/.test(node.type) ? node.child('body') : null;
  return body === null ? [] : itemsOf(body);
}

function spliceField(key: string, base: Item, patch: readonly Item[]): Changes {
  const same = patch.find((field) => field.key === base.key);
  if (same !== undefined) return spliceDocs(`${key}: ${base.key}`, base, same);
  return docExamples(base.docs) === '' ? NO_CHANGES : { ...NO_CHANGES, lost: [`documentation of ${key}: ${base.key}`] };
}

/** Its tests have no place any more. Those of an `impl` get one of their own; the others are reported as lost. */
function loseItem(key: string, item: Item, patch: SyntaxNode, macros: TestMacros): Changes {
  const body = bodyOf(item.node);
  const inner = body === null ? [] : itemsOf(body);
  const tests = inner.filter((one) => isTestItem(one, macros.ours));
  const examples = [item, ...inner]
    .filter(({ docs }) => docExamples(docs) !== '')
    .map((one) => `documentation of ${one.key}`);
  if (item.node.type !== 'impl_item' || tests.length === 0) {
    return { ...NO_CHANGES, lost: [...testsBelow(key, item, macros.ours), ...examples] };
  }
  const header = item.node.text.slice(0, (body?.start ?? item.end) - item.node.start);
  const text = `\n${header}{\n${tests.map((one) => one.node.source.slice(one.start, one.end)).join('\n')}\n}\n`;
  const end = patch.type === 'source_file' ? patch.end : patch.end - 1;
  return { edits: [{ start: end, end, text }], restored: tests.map((one) => one.key), removed: [], lost: examples };
}

function testsBelow(key: string, item: Item, testMacros: ReadonlySet<string>): readonly string[] {
  const body = bodyOf(item.node);
  if (body === null) return [];
  return itemsOf(body).flatMap((one) =>
    isTestItem(one, testMacros) ? [`${key}: ${one.key}`] : testsBelow(`${key}: ${one.key}`, one, testMacros),
  );
}

function spliceDocs(key: string, base: Item, patch: Item): Changes {
  const examples = docExamples(base.docs);
  if (examples === '' || examples === docExamples(patch.docs)) return NO_CHANGES;
  return {
    ...NO_CHANGES,
    edits: replaceDocs(base.docs, patch.docs, patch.start),
    restored: [`documentation of ${key}`],
  };
}

function spliceInnerDocs(base: SyntaxNode, patch: SyntaxNode): Partial<Changes> {
  const [ours, theirs] = [innerDocsOf(base), innerDocsOf(patch)];
  const examples = docExamples(ours);
  if (examples === '' || examples === docExamples(theirs)) return {};
  const opening = patch.children.find(({ type }) => type === '{' || type === 'shebang');
  return {
    edits: replaceDocs(ours, theirs, opening?.end ?? 0),
    restored: ['documentation of the module'],
  };
}

function replaceDocs(base: readonly SyntaxNode[], patch: readonly SyntaxNode[], place: number): readonly Edit[] {
  const text = base.map((doc) => `${doc.text.trimEnd()}\n`).join('');
  return [
    ...patch.map(({ start, end }) => ({ start, end, text: '\n' })),
    { start: place, end: place, text: `\n${text}` },
  ];
}
