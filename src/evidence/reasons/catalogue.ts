import { ADMISSION_REASONS } from './admission.ts';
import { CHANGE_REASONS } from './change.ts';
import { HARNESS_REASONS } from './harness.ts';
import { JUDGE_REASONS } from './judge.ts';
import { LANDING_REASONS } from './landing.ts';
import { MODEL_REASONS } from './model.ts';
import { type ReasonCatalogue, reasonsOf } from './reason.ts';
import { TREE_REASONS } from './tree.ts';
import { WORK_REASONS } from './work.ts';

/** Every reason that the harness itself can give. Engines add their own (`EngineDefinition.reasons`). */
export const REASONS = {
  ...ADMISSION_REASONS,
  ...MODEL_REASONS,
  ...WORK_REASONS,
  ...TREE_REASONS,
  ...JUDGE_REASONS,
  ...CHANGE_REASONS,
  ...LANDING_REASONS,
  ...HARNESS_REASONS,
} as const satisfies ReasonCatalogue;

export type ReasonCode = keyof typeof REASONS;

/** `reason('disallowed_file', { path })`. */
export const reason = reasonsOf(REASONS);
