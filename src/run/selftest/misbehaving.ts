import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Misbehaviour } from '../../engines/fake/misbehaviours.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import type { RunRequest } from '../request.ts';

/** The same request, for an engine that misbehaves, under a contract that detects it. */
export function misbehavingRequest(request: RunRequest, misbehaviour: Misbehaviour): RunRequest {
  const { obstructs } = misbehaviour;
  return {
    ...request,
    engine: fakeEngine(misbehaviour),
    terms: { ...request.terms, ...misbehaviour.terms },
    ...(obstructs === undefined ? {} : { onCreated: ({ dir }) => mkdirSync(join(dir, obstructs)) }),
  };
}
