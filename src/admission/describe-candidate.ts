import type { EventData } from '../evidence/schema/events.ts';
import { type AdmissionFacts, admittedExecutable, admittedModel, admittedSource, stageOf } from './facts.ts';

/** What the report says of the engine that is to do the work, whatever is decided. */
export function describeCandidate(facts: AdmissionFacts): EventData<'candidate.described'> {
  const { executable, model } = facts;
  const record = admittedModel(facts);
  const program = admittedExecutable(facts);
  return {
    model_named: model,
    stage: stageOf(facts),
    source_admission_status: admittedSource(facts) === null ? 'not_admitted' : 'admitted',
    executable:
      executable.state === 'present'
        ? {
            path: executable.path,
            sha256: executable.sha256,
            source_commit: program?.source_commit ?? null,
            admission_status: program === null ? 'not_admitted' : 'admitted',
            ...(program === null ? {} : { version: firstLine(program.identity) }),
          }
        : null,
    model:
      model.provider === null || model.name === null
        ? null
        : {
            provider: model.provider,
            name: model.name,
            runtime_provider: record?.runtime.provider ?? null,
            admission_status: record === null ? 'not_admitted' : 'admitted',
          },
  };
}

const MAX_VERSION = 200;

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, MAX_VERSION);
}
