const BETWEEN = ' > ';

/** An id of the form `file::suite > name`. */
export function partsOf(id: string): { readonly file: string; readonly names: readonly string[] } {
  const at = id.indexOf('::');
  if (at < 0) return { file: id, names: [] };
  return { file: id.slice(0, at), names: id.slice(at + 2).split(BETWEEN) };
}

/** A text as it stands in a regular expression that is written between slashes. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
}

/** The second test of a name is called `name (2)`; a runner knows it by its name alone. */
export function plainName(name: string): string {
  return name.replace(/ \(\d+\)$/, '');
}
