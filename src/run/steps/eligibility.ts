import { existsSync, readFileSync } from 'node:fs';
import type { RefusedCheck } from '../../admission/checks.ts';
import { decideEligibility } from '../../admission/eligibility.ts';
import type { AdmissionFacts } from '../../admission/facts.ts';
import { enginesWith } from '../../engines/list.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import { eligibility } from '../../evidence/schema/eligibility.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import { admissionFactsOf, taskFactOf } from '../admission-facts.ts';
import type { Run } from './state.ts';

/** Records which engines may run this task. Gives what decides about the requested one. */
export function writeEligibility(run: Run, contract: Contract): AdmissionFacts {
  const { engine, environment } = run.request;
  const task = taskFactOf(run, contract);
  const gathered = enginesWith(environment.profiles ?? {}).map(({ name }) => environment.admission(name));
  const engines = gathered.map((facts) => admissionFactsOf(run, task, facts));
  const decision = decideEligibility({ runId: run.bundle.runId, engine: engine.name, contract, engines });
  run.writeMasked(FILE, prettyJson(decision));
  return (
    engines.find((facts) => facts.engine === engine.name) ??
    admissionFactsOf(run, task, environment.admission(engine.name))
  );
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
  run.writeMasked(FILE, prettyJson(decision));
}
