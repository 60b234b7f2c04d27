/** A test title as written in the source: known parts, with anything between them. */
export type Title = readonly string[];

const MAX_HOLES = 8;

/** Any text. */
export const HOLE: Title = ['', ''];

/** Concatenates two titles with a text between them. */
export function joinTitles(before: Title, after: Title, between = ''): Title {
  return [...before.slice(0, -1), `${before.at(-1) ?? ''}${between}${after[0] ?? ''}`, ...after.slice(1)];
}

/** Whether the parts occur in this order, the first at the start and the last at the end. */
export function titleFits(title: Title, text: string): boolean {
  const first = title[0] ?? '';
  const last = title.at(-1) ?? '';
  if (title.length === 1) return first === text;
  if (title.length > MAX_HOLES + 1 || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of title.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
