import { decideEligibility } from '../../admission/eligibility.ts';
import type { AdmissionFacts } from '../../admission/facts.ts';
import { ENGINE_NAMES } from '../../engines/list.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import { admissionFactsOf, taskFactOf } from '../admission-facts.ts';
import type { Run } from './state.ts';

/** Records which engines may run this task. Gives what decides about the requested one. */
export function writeEligibility(run: Run, contract: Contract): AdmissionFacts {
  const { engine } = run.request;
  const task = taskFactOf(run, contract);
  const engines = ENGINE_NAMES.map((name) => admissionFactsOf(run, task, name));
  const decision = decideEligibility({ runId: run.bundle.runId, engine: engine.name, contract, engines });
  run.writeMasked('eligibility.json', prettyJson(decision));
  return engines.find((facts) => facts.engine === engine.name) ?? admissionFactsOf(run, task, engine.name);
}
