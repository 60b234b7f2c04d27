import type { ReasonClass } from '../comparison/schema.ts';
import { ADMISSION_REASONS } from './admission.ts';
import { CHANGE_REASONS } from './change.ts';
import { explainCode } from './explain.ts';
import { JUDGE_REASONS } from './judge.ts';
import { MODEL_REASONS } from './model.ts';
import type { ReasonCatalogue } from './reason.ts';
import { TREE_REASONS } from './tree.ts';

/** By code, where the catalogue that a reason stands in does not tell. */
const CLASS_OF_CODE: Readonly<Record<string, ReasonClass>> = {
  provider_rate_limited: 'limit',
  provider_usage_limit: 'limit',
  // Blocked because of what the engine left: whoever could avoid a fail so would never fail.
  secret_in_patch: 'work',
  demand_changed: 'work',
  dependency_not_installed: 'work',
  // Of the machine, although an agent or a model is what needs it.
  probe_failed: 'infrastructure',
  gateway_ended: 'infrastructure',
  gateway_not_started: 'infrastructure',
  transcript_not_written: 'infrastructure',
  socket_path_too_long: 'infrastructure',
  // A person or a policy decides beforehand.
  approval_denied: 'setup',
  settings_not_hidden: 'setup',
  too_many_settings: 'setup',
  protected_root_writable: 'setup',
  strace_missing: 'setup',
  audit_impossible: 'setup',
  setup_failed: 'setup',
  setup_unfinished: 'setup',
  setup_output_unusable: 'setup',
  setup_changes_files: 'setup',
  setup_tool_missing: 'setup',
  lockfile_outdated: 'setup',
  ensurepip_missing: 'setup',
};

/** Later catalogues give way to earlier ones. */
const CLASS_OF_CATALOGUE: readonly (readonly [ReasonCatalogue, ReasonClass])[] = [
  [TREE_REASONS, 'work'],
  [MODEL_REASONS, 'provider'],
  [ADMISSION_REASONS, 'setup'],
  [JUDGE_REASONS, 'setup'],
  [CHANGE_REASONS, 'setup'],
];

/** `work`: the engine's own, so the run counts against it, also where it was blocked. The others say nothing about the engine. */
export function reasonClassOf(code: string, known: ReasonCatalogue): ReasonClass {
  const { status, cause } = explainCode(code, known);
  if (status === 'fail') return 'work';
  const named = CLASS_OF_CODE[code] ?? CLASS_OF_CATALOGUE.find(([catalogue]) => code in catalogue)?.[1];
  if (named !== undefined) return named;
  return cause === 'provider' ? 'provider' : 'infrastructure';
}

const INTERRUPTIONS: ReadonlySet<string> = new Set(['interrupted', 'run_interrupted', 'not_sealed']);

/** The run never came to its end; whoever resumes its work repeats it. */
export const isInterruption = (code: string): boolean => INTERRUPTIONS.has(code);
