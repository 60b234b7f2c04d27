import { type Table, tableAt, type Value } from '../value.ts';
import { type DependencyEntry, type EntryReader, type Group, tableEntries } from './entry.ts';
import { type Source, tableSource } from './source.ts';

const GROUPS = [
  ['product', 'dependencies'],
  ['test', 'dev-dependencies'],
  ['build', 'build-dependencies'],
] as const;

export const cargoEntries: EntryReader = (manifest, dir) => {
  const sourceOf = (spec: Value): Source => tableSource(spec, dir);
  const at = (group: Group, path: readonly string[], of: Table = manifest): readonly DependencyEntry[] =>
    tableEntries(group, path, tableAt(of, ...path), sourceOf);
  return [
    ...GROUPS.flatMap(([group, key]) => [
      ...at(group, [key]),
      ...[...tableAt(manifest, 'target').keys()].flatMap((target) => at(group, ['target', target, key])),
    ]),
    ...at('product', ['workspace', 'dependencies']),
    ...[...tableAt(manifest, 'patch').keys()].flatMap((registry) => at('override', ['patch', registry])),
    ...tableEntries('override', ['replace'], tableAt(manifest, 'replace'), sourceOf, (key) => key.split(':')[0] ?? key),
  ];
};
