/** As one word of a POSIX shell. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A description on one line, short enough for a list. */
export function shortText(text: string): string {
  const [first = ''] = text.split(/[;(]|\. /, 1);
  return first.trim().replaceAll('\n', ' ').slice(0, 100);
}
