import type { BaseContext } from './context.ts';
import { type FileDecision, decideFile } from './decision.ts';
import type { PatchChange } from './facts.ts';
import { nameOf } from './path-parts.ts';
import { classifyBaseFile } from './classify-base-file.ts';
import { bringsInlineTests } from './test-names.ts';
import { isCalledInText, withoutOtherTargets } from './table/parts/make-targets.ts';
import { onlyAddsAliases } from './table/parts/path-aliases.ts';
import { withoutNewTests } from './table/parts/new-tests.ts';
import { onlyNamesMoreSources } from './table/parts/source-lists.ts';
import { withoutVersions } from './table/parts/versions.ts';
import { setsAgent, settingsRuleOf } from './table/table.ts';

/** Decides about a path that the base has, independently of other changes. */
export function decideExisting(
  change: PatchChange,
  context: BaseContext,
  patched: (path: string) => string | null,
): FileDecision {
  const { path, kind } = change;
  const standing = classifyBaseFile(path, context);
  if (kind === 'mode' && standing.why === 'settings_changed') return decideFile(path, 'mode_only');
  if (kind === 'type' || kind === 'link') {
    // Two versions can be merged only if both are files.
    return standing.kind === 'merged' || standing.kind === 'dependencies'
      ? decideFile(path, 'replaces_deciding', 'a manifest or a file with tests')
      : standing;
  }
  if (kind !== 'modified') return standing;
  const before = context.base.read(path);
  const after = patched(path);
  if (before === null || after === null) return standing;
  if (setsAgent(path, before, after)) return decideFile(path, 'agent_settings');
  if (standing.kind === 'product' && bringsInlineTests(path, after)) return decideFile(path, 'inline_tests');
  if (standing.why !== 'settings_changed') return standing;
  const parts = settingsRuleOf(path, context.uses)?.parts;
  if (parts !== undefined && parts(before, context.facts.runner) === parts(after, context.facts.runner))
    return decideFile(path, 'other_section');
  const [was, is] = isBuildFile(path) ? [withoutVersions(before), withoutVersions(after)] : [before, after];
  if (was === is) return decideFile(path, 'version_only');
  if (onlyAddsAliases(path, before, after, (prefix) => isNamedIn(context, prefix)))
    return decideFile(path, 'new_aliases');
  const made = (target: string): boolean => isMade(target, path, context);
  const lines = withoutOtherTargets(path, was, is, made);
  if (lines !== null && lines.was.join('\n') === lines.is.join('\n')) return decideFile(path, 'other_targets');
  if (onlyNamesMoreSources(path, was, is, made)) return decideFile(path, 'source_list');
  const tested = withoutNewTests(path, was, is);
  return tested !== is && onlyNamesMoreSources(path, was, tested, made)
    ? decideFile(path, 'names_new_tests')
    : standing;
}

/** Whether an import of the base, or one of its packages, starts with this prefix. */
function isNamedIn({ base, index }: BaseContext, prefix: string): boolean {
  return [...index.files]
    .filter((path) => /\.(?:[cm]?[jt]sx?|json|ya?ml|lock|vue|svelte)$/.test(path) && !/^[jt]sconfig/.test(nameOf(path)))
    .some((path) => base.read(path)?.includes(prefix) === true);
}

const isBuildFile = (path: string): boolean =>
  /^(?:(?:GNU)?[Mm]akefile|.*\.ma?k|CMakeLists\.txt|meson\.build|configure\.(?:ac|in))$/.test(nameOf(path));

/** Whether the tests may build a make target. If it is unknown how they call make, they may build any. */
function isMade(target: string, path: string, { facts, starts, read, base }: BaseContext): boolean {
  if (!starts.has(path) || facts.make_targets.includes(`${path}#${target}`)) return true;
  const texts = [
    facts.test_command,
    ...[...starts, ...read].filter((one) => one !== path).map((one) => base.read(one) ?? ''),
  ];
  return isCalledInText(target, texts);
}
