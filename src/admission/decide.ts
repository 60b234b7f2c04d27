import { reason } from '../evidence/reasons/catalogue.ts';
import { type AdmissionCheck, type RefusedCheck, refusedCheck } from './checks/check.ts';
import {
  checkConfined,
  checkEnabled,
  checkExecutable,
  checkMutation,
  checkSource,
  checkStage,
  checkTimeLimit,
} from './checks/engine-checks.ts';
import type { AdmissionFacts } from './facts.ts';
import { checkCredentials, checkEndpoint, checkModel, checkResponseShape } from './checks/model-checks.ts';

/** In evaluation order: free checks first, the model probe last. */
const ENGINE_CHECKS = [
  checkEnabled,
  checkStage,
  checkMutation,
  checkConfined,
  checkSource,
  checkExecutable,
  checkModel,
  checkCredentials,
  checkEndpoint,
  checkTimeLimit,
];

/**
 * Runs the checks that this engine has to pass, up to and including the first refusal. The model's response is checked
 * once it is known.
 */
export function decideAdmission(facts: AdmissionFacts): readonly AdmissionCheck[] {
  const { policy, engine, shape } = facts;
  if (policy === null)
    return [
      refusedCheck({
        gate: 'enabled',
        reason: reason('engine_not_enabled', { engine }),
        detail: 'no admission policy is defined for this engine',
        next: 'choose another engine: see `seatrial engines`',
      }),
    ];
  const checks: AdmissionCheck[] = [];
  for (const check of ENGINE_CHECKS) {
    const decided = check(facts, policy);
    if (decided === null) continue;
    checks.push(decided);
    if (!decided.passed) return checks;
  }
  return shape === null ? checks : [...checks, checkResponseShape(shape)];
}

/** Every obstacle at once: each check is evaluated, whatever the others say. */
export function allRefusals(facts: AdmissionFacts): RefusedCheck[] {
  const { policy } = facts;
  if (policy === null) return decideAdmission(facts).filter((check) => !check.passed);
  return ENGINE_CHECKS.flatMap((check) => {
    const decided = check(facts, policy);
    return decided === null || decided.passed ? [] : [decided];
  });
}

/** The deciding refusal, or null. */
export function firstRefusal(facts: AdmissionFacts): RefusedCheck | null {
  return decideAdmission(facts).find((check) => !check.passed) ?? null;
}
