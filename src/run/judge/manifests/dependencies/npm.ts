import { type Table, tableAt, textsOf, type Value } from '../value.ts';
import { type DependencyEntry, type EntryReader, tableEntries } from './entry.ts';
import { npmSource, type Source } from './source.ts';

const GROUPS = [
  ['product', ['dependencies']],
  ['product', ['optionalDependencies']],
  ['product', ['peerDependencies']],
  ['test', ['devDependencies']],
  ['override', ['overrides']],
  ['override', ['resolutions']],
  ['override', ['dependenciesMeta']],
  ['override', ['pnpm', 'overrides']],
  ['override', ['pnpm', 'packageExtensions']],
  ['override', ['pnpm', 'patchedDependencies']],
  ['override', ['pnpm', 'peerDependencyRules']],
] as const;

export const npmEntries: EntryReader = (manifest, dir) => {
  const sourceOf = (spec: Value): Source => (typeof spec === 'string' ? npmSource(spec, dir) : { kind: 'registry' });
  return [
    ...GROUPS.flatMap(([group, path]) =>
      tableEntries(
        group,
        path,
        tableAt(manifest, ...path),
        sourceOf,
        group === 'override' ? overriddenName : undefined,
      ),
    ),
    ...bundled(manifest),
  ];
};

/** npm takes these out of the package's own `node_modules`, not from a registry. */
function bundled(manifest: Table): readonly DependencyEntry[] {
  return ['bundledDependencies', 'bundleDependencies'].flatMap((key) =>
    textsOf(manifest.get(key)).map((name) => ({
      name,
      group: 'override' as const,
      key: `${key}.${name}`,
      spec: 'bundled',
      source: { kind: 'registry' },
    })),
  );
}

/** `parent>name@range`, as pnpm writes it, or `**\/name`, as yarn does. */
function overriddenName(key: string): string {
  const last = key.slice(key.lastIndexOf('>') + 1);
  return /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?$/.exec(last)?.[1] ?? last;
}
