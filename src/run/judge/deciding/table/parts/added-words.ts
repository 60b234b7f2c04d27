/** More than a person would add by hand. */
const MAX_ADDED = 200;

/** The words that were put in between; null if others are gone or changed. */
export function addedWords(
  before: readonly string[],
  after: readonly string[],
): readonly { readonly word: string; readonly at: number }[] | null {
  const added: { word: string; at: number }[] = [];
  let next = 0;
  for (const [at, word] of after.entries()) {
    if (word === before[next]) next += 1;
    else added.push({ word, at });
  }
  return next === before.length && added.length <= MAX_ADDED ? added : null;
}
