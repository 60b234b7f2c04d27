const MAX_NAMES = 3;

/** The first few, for the text of a reason. */
export function listedTests(ids: readonly string[]): string {
  const left = ids.length - MAX_NAMES;
  return `${ids.slice(0, MAX_NAMES).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
