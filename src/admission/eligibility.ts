import type { Contract } from '../task/schema.ts';
import type { Eligibility } from '../evidence/schema/eligibility.ts';

/** Which engine may do this task, and what it has to get past: written down before anything runs. */
export function decideEligibility(
  runId: string,
  engine: string,
  contract: Contract,
  known: readonly string[],
): Eligibility {
  return {
    schema_version: 1,
    run_id: runId,
    selected_backend: engine,
    denied_backends: known.filter((name) => name !== engine).map((backend) => ({ backend, reason: 'not selected' })),
    risk_class: contract.risk_class,
    required_gates: ['test command', 'isolation', 'clean tree', 'probe'],
    allowed_mutation: contract.mutation,
    reasons: [engine === 'fake' ? 'the fake engine is the default lane' : `${engine} was asked for by name`],
    escalation_path: 'read the first blocker in report.json, mend it, run again: every run is a new bundle',
  };
}
