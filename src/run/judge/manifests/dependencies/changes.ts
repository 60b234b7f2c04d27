import type { DependencyEntry, Group } from './entry.ts';
import type { RuleFacts } from '../rules/rule-maker.ts';
import type { Source } from './source.ts';

/** One dependency that the patch adds, removes or asks for differently. */
export interface DependencyChange {
  readonly name: string;
  /** A package that the base's tests use is `test`, whatever list it stands in; a new one that the product loads is `product`. */
  readonly group: Group;
  /** Where it stands: `dependencies.lodash`. */
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly from: string | null;
  readonly to: string | null;
  readonly fromSource: Source | null;
  readonly toSource: Source | null;
  /** The base already depends on a package of this name, here or in another list of the file. */
  readonly inBase: boolean;
}

export function dependencyChanges(
  base: readonly DependencyEntry[],
  patch: readonly DependencyEntry[],
  { isTool, isLoaded }: Pick<RuleFacts, 'isTool' | 'isLoaded'>,
): readonly DependencyChange[] {
  const ours = new Map(base.map((entry) => [entry.key, entry]));
  const theirs = new Map(patch.map((entry) => [entry.key, entry]));
  const names = new Set(base.map(({ name }) => name));
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key): readonly DependencyChange[] => {
    const [from, to] = [ours.get(key), theirs.get(key)];
    const entry = to ?? from;
    if (entry === undefined || from?.spec === to?.spec) return [];
    const change = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
    const { name, source } = entry;
    const isTools = entry.group === 'product' && (isTool(name) || (source.kind === 'alias' && isTool(source.of)));
    const isBundled = entry.group === 'test' && isLoaded(name) && !isTool(name);
    const group = isTools ? 'test' : isBundled ? 'product' : entry.group;
    return [
      {
        name,
        group,
        key,
        change,
        from: from?.spec ?? null,
        to: to?.spec ?? null,
        fromSource: from?.source ?? null,
        toSource: to?.source ?? null,
        inBase: names.has(name),
      },
    ];
  });
}
