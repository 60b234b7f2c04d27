/**
 * Ids of doctests hold a line number, `src/lib.rs - slug (line 12)`, which changes with everything above it. Here they are
 * numbered within their item instead: `src/lib.rs - slug (example 1)`. Other ids stay as they are.
 */
export function stableDoctestIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = ids.flatMap((id) => {
    const [, item, line, rest] = /^(.+ - (?:.* )?)\(line (\d+)\)(.*)$/.exec(id) ?? [];
    return item === undefined || line === undefined ? [] : [{ id, item, line: Number(line), rest: rest ?? '' }];
  });
  const seen = new Map<string, number>();
  const stable = new Map(ids.map((id) => [id, id]));
  for (const { id, item, rest } of found.toSorted((a, b) => a.line - b.line)) {
    const count = (seen.get(item) ?? 0) + 1;
    seen.set(item, count);
    stable.set(id, `${item}(example ${count})${rest}`);
  }
  return stable;
}
