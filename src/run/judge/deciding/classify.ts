import { pathText } from '../../../kernel/path-text.ts';
import { matchGlobs } from '../../patch/changes.ts';
import { type AddedContext, openAddedContext } from './added/context.ts';
import { decideAdded } from './added/decide-added.ts';
import { pathsThroughLink } from './added/through-link.ts';
import { openContext, type PatchInput } from './context.ts';
import type { FileDecision } from './decision.ts';
import { decideExisting } from './existing.ts';
import type { PatchChange } from './facts.ts';
import { pathNameBytes } from './path-name.ts';

/** Decides on every changed path, in the order given. Pure: facts in, decisions out. */
export function classifyPatch(input: PatchInput): readonly FileDecision[] {
  const { changes, patched, options } = input;
  const context = openContext(input);
  const existing = new Map(
    changes
      .filter(({ path }) => context.index.files.has(path))
      .map((one) => [one.path, decideExisting(one, context, patched)]),
  );
  const forAdded = openAddedContext(input, context, existing);
  const isNamed = matchGlobs(options.allowDeciding);
  const isAllowed = (path: string): boolean =>
    isNamed(path) || options.approved?.has(pathText(pathNameBytes(path))) === true;
  return changes.map((change) => {
    const known = existing.get(change.path) ?? decideAdded(change.path, forAdded);
    const decision = throughLink(change, known, forAdded);
    return isAllowed(change.path) ? allow(decision) : decision;
  });
}

/** A link is refused if one of the paths it adds would be. */
function throughLink({ path, target }: PatchChange, decision: FileDecision, context: AddedContext): FileDecision {
  if (target === null || decision.deciding === 'base') return decision;
  for (const brought of pathsThroughLink(path, target, context)) {
    const through = context.base.index.files.has(brought) ? null : decideAdded(brought, context);
    if (through?.kind === 'refused') return { ...through, path, sentence: `brings ${brought}: ${through.sentence}` };
  }
  return decision;
}

/** Files that `--allow-deciding` names are judged in the patch's version. Manifests and dependencies are still merged and installed. */
function allow(decision: FileDecision): FileDecision {
  const { kind, why } = decision;
  if (kind === 'product' || kind === 'byproduct' || why === 'protected_file') return decision;
  if (kind === 'merged' || kind === 'dependencies') return { ...decision, allowed_from: kind };
  const sentence = `allowed by a person: ${decision.sentence}`;
  return { ...decision, kind: 'product', deciding: 'patch', sentence, allowed_from: kind };
}
