import { reason } from '../../../evidence/reasons/catalogue.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Terms } from '../../../task/contract.ts';
import type { Scenario, Setting } from '../../self-test.ts';
import { blocks, fails, passes } from './adapter.ts';
import { without, withVariables } from './setting.ts';
import { SLUGIFY_SCRIPTS } from './slugify.ts';

const GOOD = SLUGIFY_SCRIPTS['commits, then the verifier hangs'];

const asking =
  (terms: Partial<Terms>) =>
  (setting: Setting): Setting => ({
    ...setting,
    terms: { ...setting.terms, ...terms },
  });

/** Stage 2: a copy of the artificial fixture, checked through the complete evidence interface. */
export const STAGE2_SCENARIOS: readonly Scenario[] = [
  {
    name: 'stage2_gate_blocks',
    script: GOOD,
    change: (setting) => without(setting, 'CTO_HARNESS_CASE_STAGE'),
    expected: blocks(reason('stage_not_set')),
  },
  {
    name: 'stage1_must_be_earned',
    script: GOOD,
    change: (setting) => ({ ...setting, earnedStage: 0 }),
    expected: blocks(reason('stage_not_earned', { stage: 1 })),
  },
  {
    name: 'stage1_starts_nothing',
    script: GOOD,
    change: (setting) => withVariables(setting, { CTO_HARNESS_CASE_STAGE: '1' }),
    expected: blocks(reason('stage_not_set')),
  },
  {
    name: 'mutation_scope_blocks',
    script: GOOD,
    change: asking({ mutation: 'copied repository only' }),
    expected: blocks(reason('mutation_out_of_scope', { scope: 'copied repository only' })),
  },
  {
    name: 'artificial_by_word_alone_blocks',
    script: GOOD,
    change: (setting) => ({ ...asking({ instruction: 'Change what you like.' })(setting), admitsTask: false }),
    expected: blocks(reason('mutation_out_of_scope', { scope: 'copied artificial case only' })),
  },
  {
    name: 'stage2_pass',
    script: GOOD,
    expected: passes(
      /completion completed_by_harness; model qwen-local\/qwen3\.6-35b-a3b as openai admitted; source not_admitted; changed strings\.py; tests passed; control pass.*bundle verified; absent none; writes true; targets not reachable; .*leaks 0/,
    ),
  },
  {
    name: 'own_test_runs_pass',
    script: SLUGIFY_SCRIPTS['runs the tests first, then commits'],
    expected: passes(/completion completed_by_harness.*changed strings\.py; tests passed.*bundle verified/),
  },
  {
    name: 'no_diff_fails',
    script: SLUGIFY_SCRIPTS.lies,
    expected: { ...fails(reason('no_diff'), /changed nothing/), event: 'git.diff.checked' },
  },
  {
    name: 'disallowed_file_fails',
    script: SLUGIFY_SCRIPTS['changes another file too'],
    expected: {
      ...fails(reason('disallowed_file', { path: 'README.md' }), /completion exited/),
      event: 'git.diff.checked',
    },
  },
  {
    name: 'failed_tests_fail',
    script: SLUGIFY_SCRIPTS['mends it wrongly'],
    expected: { ...fails(reason('tests_failed'), /tests not passed/), event: 'verification.completed' },
  },
  {
    name: 'missing_test_command_blocks',
    script: GOOD,
    change: asking({ test_command: null }),
    expected: blocks(reason('missing_test_command'), /started false.*requests 1/),
  },
  {
    name: 'missing_required_event_fails',
    script: GOOD,
    change: asking({ required_events: ['backend.exited'] }),
    expected: fails(reason('missing_event', { event: 'backend.exited' }), /tests passed/),
  },
  {
    name: 'reviewer_reject_fails',
    script: GOOD,
    change: asking({ review: 'echo "not like this"; exit 1' }),
    expected: { ...fails(reason('reviewer_rejected'), /started true/), event: 'review.completed' },
  },
  {
    name: 'approval_denied_blocks',
    script: GOOD,
    change: asking({ approvals: ['deliver'] }),
    expected: { ...blocks(reason('approval_denied', { action: 'deliver' }), /started true/), event: 'approval.denied' },
  },
  {
    name: 'dirty_starting_tree_blocks',
    script: GOOD,
    change: asking({ setup_command: 'for file in *; do echo >> "$file"; done' }),
    expected: blocks(reason('dirty_starting_tree')),
  },
  {
    name: 'dirty_ending_tree_fails',
    script: SLUGIFY_SCRIPTS['commits, then edits again'],
    change: asking({ must_commit: true }),
    expected: { ...fails(reason('dirty_ending_tree'), /started true/), event: 'git.diff.checked' },
  },
  {
    name: 'artifact_write_failure_blocks',
    script: GOOD,
    obstructs: 'patch.diff',
    expected: {
      ...blocks(reason('artifact_write_failed', { path: 'patch.diff' }), /started true/),
      event: 'run.completed',
      exit: EXIT.evidenceLost,
    },
  },
  {
    name: 'provider_unavailable_blocks',
    script: GOOD,
    change: (setting) => withVariables(setting, { CTO_HARNESS_CASE_BIN: '/nonexistent/ca' }),
    expected: { ...blocks(reason('provider_unavailable')), event: 'provider.unavailable' },
  },
  {
    name: 'timeout_after_valid_patch_fails',
    script: SLUGIFY_SCRIPTS['commits, then hangs'],
    change: (setting) => withVariables(setting, { CTO_HARNESS_CASE_TIMEOUT_SECONDS: '8' }),
    expected: {
      reason: reason('timeout_after_patch', { engine: 'case' }),
      event: 'backend.timeout',
      status: 'fail',
      exit: EXIT.fail,
      says: /completion timed_out.*changed strings\.py; tests passed/,
    },
  },
];
