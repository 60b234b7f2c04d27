import type { Rule } from '../rule.ts';
import { isList, type Value } from '../value.ts';
import { requirementName } from './python-names.ts';

/** A list of requirements: the patch's, but for those of the base that its tests use. */
export function requirementsList(isTool: (name: string) => boolean): Rule {
  return {
    kind: 'mixed',
    mix: (base, patch) => {
      const ours = textList(base ?? []);
      const theirs = textList(patch ?? []);
      if (ours === null || theirs === null) return base;
      const merged = mixRequirements(ours, theirs, isTool);
      return merged.length === 0 && (base === undefined || patch === undefined) ? undefined : merged;
    },
  };
}

/** The same where the list is lines of one text. */
export function requirementsText(isTool: (name: string) => boolean): Rule {
  return {
    kind: 'mixed',
    mix: (base, patch) => {
      const merged = mixRequirements(linesOf(base), linesOf(patch), isTool);
      return merged.length === 0 && (base === undefined || patch === undefined) ? undefined : `\n${merged.join('\n')}`;
    },
  };
}

/** A requirement without a name cannot be told from a test tool's, so the patch cannot bring one. */
function mixRequirements(
  base: readonly string[],
  patch: readonly string[],
  isTool: (name: string) => boolean,
): string[] {
  const isBases = (requirement: string): boolean => {
    const name = requirementName(requirement);
    return name === null || isTool(name);
  };
  return [...patch.filter((one) => !isBases(one)), ...base.filter(isBases)];
}

function textList(value: Value): readonly string[] | null {
  return isList(value) && value.every((one) => typeof one === 'string') ? value : null;
}

export function linesOf(value: Value | undefined): readonly string[] {
  return typeof value === 'string'
    ? value
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    : [];
}
