import { type FileDecision, decideFile } from '../decision.ts';
import { enclosingDirs, nameOf, parentOf } from '../path-parts.ts';
import type { SettingsRule } from '../table/settings/rule.ts';
import { endsLike } from '../table/settings/rule.ts';
import { governedDir, isDependencyList, isManifest, settingsRuleOf } from '../table/table.ts';
import { inTestDir } from '../test-names.ts';
import type { AddedContext } from './context.ts';

/** Decides on a new settings file, manifest or list of dependencies. Null: it is none, or governs nothing that the base has. */
export function decidePlanted(path: string, context: AddedContext): FileDecision | null {
  const { base, text } = context;
  const rule = settingsRuleOf(path, base.uses);
  if (rule !== null && hasPower(path, rule, context)) {
    const { parts } = rule;
    const saysNothing = parts !== undefined && parts(text(path), base.facts.runner) === '';
    return saysNothing ? decideFile(path, 'other_section') : decideFile(path, 'settings_planted', rule.what);
  }
  if (rule !== null && rule.changed === 'used') return null;
  if (isManifest(path)) return decideManifest(path, context);
  return isDependencyList(path) && !inTestDir(path) && base.governs(parentOf(path))
    ? decideFile(path, 'dependency_list')
    : null;
}

function hasPower(path: string, rule: SettingsRule, { base }: AddedContext): boolean {
  const governs = base.governs(governedDir(path));
  switch (rule.planted) {
    case 'anywhere':
      return true;
    case 'governing':
      return governs;
    case 'looked_for':
      if (base.seesLookups) return base.lookedFor.has(path);
      return governs && (rule.ecosystem !== 'any' || [...base.starts].some(endsLike(rule.files)));
    default:
      return rule.planted satisfies never;
  }
}

/** At the root a new manifest is merged with nothing; inside another package it changes how files of the base are loaded. */
function decideManifest(path: string, { base }: AddedContext): FileDecision | null {
  const dir = parentOf(path);
  if (!base.governs(dir)) return null;
  const isNested = [...enclosingDirs(path).slice(1), ''].some(
    (above) => above !== dir && base.index.files.has(above === '' ? nameOf(path) : `${above}/${nameOf(path)}`),
  );
  return isNested || inTestDir(path)
    ? decideFile(path, 'settings_planted', 'manifest inside another package')
    : decideFile(path, 'manifest');
}
