import { tableAt, textOf, textsOf } from '../value.ts';
import { type EntryReader, tableEntries } from './entry.ts';
import { dirSource, type Source } from './source.ts';

export const goEntries: EntryReader = (manifest, dir) => [
  ...tableEntries('product', ['require'], tableAt(manifest, 'require'), () => ({ kind: 'registry' })),
  ...tableEntries(
    'override',
    ['replace'],
    tableAt(manifest, 'replace'),
    (to) => replacement(textOf(to), dir),
    firstWord,
  ),
  ...tableEntries('override', ['exclude'], tableAt(manifest, 'exclude'), () => ({ kind: 'registry' }), firstWord),
  ...textsOf(manifest.get('tool')).map((path) => ({
    name: path,
    group: 'test' as const,
    key: `tool.${path}`,
    spec: '',
    source: { kind: 'registry' as const },
  })),
];

const firstWord = (text: string): string => text.split(' ')[0] ?? text;

/** A directory, or another module in the place of this one. */
function replacement(to: string, dir: string): Source {
  const path = to.replaceAll('"', '');
  return /^(?:\.{0,2}\/|[A-Za-z]:)/.test(path) ? dirSource(path, dir) : { kind: 'alias', of: firstWord(path) };
}
