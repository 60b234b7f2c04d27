import { decideEligibility } from '../../admission/eligibility.ts';
import { ENGINE_NAMES } from '../../engines/list.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import type { Run } from './state.ts';

/** Records which engines may run this task. */
export function writeEligibility(run: Run, contract: Contract): void {
  const { environment, engine } = run.request;
  const engines = ENGINE_NAMES.map((name) => environment.admission(name));
  const decision = decideEligibility({ runId: run.bundle.runId, engine: engine.name, contract, engines });
  run.writeMasked('eligibility.json', prettyJson(decision));
}
