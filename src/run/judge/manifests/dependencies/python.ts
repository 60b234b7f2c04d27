import { isDevelopmentGroup, requirementName } from '../rules/python-names.ts';
import { linesOf } from '../rules/python-requirements.ts';
import { keyText } from '../rule.ts';
import { type Table, tableAt, tablesOf, textAt, textsOf, type Value } from '../value.ts';
import { type DependencyEntry, type EntryReader, type Group, specText, tableEntries } from './entry.ts';
import { pythonSource, tableSource } from './source.ts';

export const pyprojectEntries: EntryReader = (manifest, dir) => {
  const poetry = tableAt(manifest, 'tool', 'poetry');
  const uv = tableAt(manifest, 'tool', 'uv');
  const list = (group: Group, path: readonly string[], value: Value | undefined): readonly DependencyEntry[] =>
    textsOf(value).map((text) => requirementEntry(group, path, text, dir));
  const tables = (group: Group, path: readonly string[]): readonly DependencyEntry[] =>
    tableEntries(group, path, tableAt(manifest, ...path), (spec) => tableSource(spec, dir));
  return [
    ...list('product', ['project', 'dependencies'], tableAt(manifest, 'project').get('dependencies')),
    ...extras(tableAt(manifest, 'project', 'optional-dependencies'), ['project', 'optional-dependencies']).flatMap(
      ({ group, path, value }) => list(group, path, value),
    ),
    ...[...tableAt(manifest, 'dependency-groups')].flatMap(([name, value]) =>
      list('test', ['dependency-groups', name], value),
    ),
    ...list('build', ['build-system', 'requires'], tableAt(manifest, 'build-system').get('requires')),
    ...tables('product', ['tool', 'poetry', 'dependencies']).filter(({ name }) => name !== 'python'),
    ...tables('test', ['tool', 'poetry', 'dev-dependencies']),
    ...[...tableAt(poetry, 'group').keys()].flatMap((name) =>
      tables('test', ['tool', 'poetry', 'group', name, 'dependencies']),
    ),
    ...tables('override', ['tool', 'uv', 'sources']),
    ...list('test', ['tool', 'uv', 'dev-dependencies'], uv.get('dev-dependencies')),
    ...['override-dependencies', 'constraint-dependencies'].flatMap((key) =>
      list('override', ['tool', 'uv', key], uv.get(key)),
    ),
    ...tables('override', ['tool', 'pdm', 'resolution', 'overrides']),
    ...[...tableAt(manifest, 'tool', 'pdm', 'dev-dependencies')].flatMap(([name, value]) =>
      list('test', ['tool', 'pdm', 'dev-dependencies', name], value),
    ),
    ...indexes(['tool', 'uv', 'index'], uv.get('index')),
    ...indexes(['tool', 'poetry', 'source'], poetry.get('source')),
    ...indexes(['tool', 'pdm', 'source'], tableAt(manifest, 'tool', 'pdm').get('source')),
  ];
};

export const setupCfgEntries: EntryReader = (manifest, dir) => {
  const options = tableAt(manifest, 'options');
  const lines = (group: Group, path: readonly string[], value: Value | undefined): readonly DependencyEntry[] =>
    linesOf(value).map((text) => requirementEntry(group, path, text, dir));
  return [
    ...lines('product', ['options', 'install_requires'], options.get('install_requires')),
    ...lines('test', ['options', 'tests_require'], options.get('tests_require')),
    ...lines('build', ['options', 'setup_requires'], options.get('setup_requires')),
    ...lines('override', ['options', 'dependency_links'], options.get('dependency_links')),
    ...extras(tableAt(manifest, 'options.extras_require'), ['options.extras_require']).flatMap(
      ({ group, path, value }) => lines(group, path, value),
    ),
  ];
};

interface Extra {
  readonly group: Group;
  readonly path: readonly string[];
  readonly value: Value;
}

function extras(table: Table, path: readonly string[]): readonly Extra[] {
  return [...table].map(([extra, value]) => ({
    group: isDevelopmentGroup(extra) ? 'test' : 'product',
    path: [...path, extra],
    value,
  }));
}

/** A requirement that has no name goes by its text. One name may stand several times, with different markers. */
function requirementEntry(group: Group, path: readonly string[], text: string, dir: string): DependencyEntry {
  const name = requirementName(text) ?? text;
  const marker = /;(.*)$/.exec(text)?.[1]?.trim();
  const key = keyText([...path, marker === undefined ? name : `${name}; ${marker}`]);
  return { name, group, key, spec: text, source: pythonSource(text, dir) };
}

/** Other registries that packages are taken from. */
function indexes(path: readonly string[], value: Value | undefined): readonly DependencyEntry[] {
  return tablesOf(value).map((index) => {
    const name = textAt(index, 'name') ?? specText(index);
    const at = textAt(index, 'url') ?? specText(index);
    return { name, group: 'override', key: keyText([...path, name]), spec: at, source: { kind: 'other', at } };
  });
}
