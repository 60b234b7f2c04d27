import type { Eligibility } from '../evidence/schema/eligibility.ts';
import type { Contract } from '../task/contract.ts';
import { firstRefusal } from './decide.ts';
import { type AdmissionFacts, asksModel, stageOf } from './facts.ts';
import { STAGE_SCOPES } from './stage-scopes.ts';

/** Gates of every engine, whatever its policy. */
const GATES_OF_ALL = ['test command', 'isolation', 'clean tree', 'probe', 'no target'];

interface Asked {
  readonly runId: string;
  readonly engine: string;
  readonly contract: Contract;
  /** Facts of every engine, including the requested one. */
  readonly engines: readonly AdmissionFacts[];
}

/** Records which engines may run this task and which gates apply, before anything runs. */
export function decideEligibility({ runId, engine, contract, engines }: Asked): Eligibility {
  const standings = engines.map((facts) => ({ facts, refusal: firstRefusal(facts) }));
  const own = standings.find(({ facts }) => facts.engine === engine);
  const refusal = own?.refusal ?? null;
  return {
    schema_version: 1,
    run_id: runId,
    selected_backend: own !== undefined && refusal === null ? engine : null,
    denied_backends: standings.flatMap(({ facts, refusal: denied }) =>
      facts.engine === engine && denied === null
        ? []
        : [{ backend: facts.engine, reason: denied?.reason.text ?? 'not selected' }],
    ),
    risk_class: contract.risk_class,
    required_gates: requiredGates(own?.facts ?? null),
    allowed_mutation: allowedMutation(own?.facts ?? null, contract),
    reasons: [
      engine === 'fake' ? 'the fake engine is the default lane' : `${engine} was requested by name`,
      ...(refusal === null ? [] : [`${refusal.reason.text}: ${refusal.detail}`]),
    ],
    escalation_path:
      refusal?.next ?? 'read the first blocker in report.json, fix it and run again; every run is a new bundle',
  };
}

/** An engine with stages may change what its stage admits, whatever the contract asks for. */
function allowedMutation(facts: AdmissionFacts | null, { mutation }: Contract): string {
  if (facts === null || facts.policy === null || facts.policy.stage === null) return mutation;
  const stage = stageOf(facts);
  return (stage === null ? undefined : STAGE_SCOPES[stage]) ?? 'none';
}

/** The gates of one engine, in order. */
export function requiredGates(facts: Pick<AdmissionFacts, 'policy' | 'model'> | null): string[] {
  const { stage, executable, timeLimit } = facts?.policy ?? {};
  const model = facts !== null && asksModel(facts);
  return [
    'enabled',
    ...(stage ? ['stage', 'mutation', 'confined'] : []),
    ...(stage && executable ? ['source'] : []),
    ...(executable ? ['executable'] : []),
    ...(model ? ['model', 'credentials', 'endpoint'] : []),
    ...(timeLimit ? ['time limit'] : []),
    ...(model ? ['response shape'] : []),
    ...GATES_OF_ALL,
  ];
}
