import { existsSync, readFileSync } from 'node:fs';
import type { RefusedCheck } from '../../admission/checks/check.ts';
import { describeCandidate } from '../../admission/describe-candidate.ts';
import { decideEligibility } from '../../admission/eligibility.ts';
import type { AdmissionFacts } from '../../admission/facts.ts';
import { taskFactOf } from '../../admission/task-fact.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import { eligibility } from '../../evidence/schema/eligibility.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import type { Run } from './state.ts';

/** Records which engines may run this task, and what is known of the requested one. Gives what decides about it. */
export function writeEligibility(run: Run, contract: Contract): AdmissionFacts {
  const { environment, replay, controlOf } = run.request;
  const { name } = run.request.engine;
  const { engines, requested } = environment.admission(name, {
    task: taskFactOf(contract),
    confined: environment.confine !== 'none',
    replayed: replay !== undefined,
    isControl: controlOf !== undefined,
  });
  const decision = decideEligibility({ runId: run.bundle.runId, engine: name, contract, engines });
  const described = describeCandidate(requested);
  run.log.writeMasked(FILE, prettyJson(decision));
  run.log.append('candidate.described', 'harness', described);
  return requested;
}

const FILE = 'eligibility.json';

/** A later check refused the engine: the decision names it, and what to do next. */
export function denyEligibility(run: Run, { reason, detail, next }: RefusedCheck): void {
  const path = run.artifact(FILE);
  const parsed = existsSync(path) ? parseBytes(readFileSync(path), eligibility) : null;
  if (parsed === null || !parsed.ok || parsed.value.selected_backend === null) return;
  const { selected_backend: backend, denied_backends: denied, reasons } = parsed.value;
  const decision = {
    ...parsed.value,
    selected_backend: null,
    denied_backends: [...denied, { backend, reason: reason.text }],
    reasons: [...reasons, `${reason.text}: ${detail}`],
    escalation_path: next,
  };
  run.log.writeMasked(FILE, prettyJson(decision));
}
