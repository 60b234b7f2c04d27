import type { Rule } from '../rule.ts';
import { isOwnProgram } from '../test-tools.ts';
import { type Table, tablesOf, textAt } from '../value.ts';

/** What a `[[bin]]` or `[[example]]` is made of. Whether and how it is tested (`test`, `harness`, `doctest`) is the base's. */
const PRODUCT = new Set(['name', 'path', 'required-features', 'crate-type', 'proc-macro', 'edition']);

export function targets(isTool: (name: string) => boolean): Rule {
  return {
    kind: 'mixed',
    mix: (base, patch) => {
      const ours = new Map(tablesOf(base).map((target) => [textAt(target, 'name'), target]));
      const theirs = tablesOf(patch).filter((target) => isOwnProgram(textAt(target, 'name') ?? '', isTool));
      const kept = [...ours.values()].filter((target) => !isOwnProgram(textAt(target, 'name') ?? '', isTool));
      const merged = [...theirs.map((target) => mixTarget(ours.get(textAt(target, 'name')), target)), ...kept];
      return merged.length === 0 && (base === undefined || patch === undefined) ? undefined : merged;
    },
  };
}

function mixTarget(base: Table | undefined, patch: Table): Table {
  const tested = [...(base ?? [])].filter(([key]) => !PRODUCT.has(key));
  return new Map([...[...patch].filter(([key]) => PRODUCT.has(key)), ...tested]);
}
