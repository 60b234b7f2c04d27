import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Misbehaviour } from '../../engines/fake/misbehaviours.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import type { RunRequest } from '../request.ts';

/** The same order, for an engine that goes wrong, under a contract in which that matters. */
export function misbehavingOrder(order: RunRequest, misbehaviour: Misbehaviour): RunRequest {
  const { obstructs } = misbehaviour;
  return {
    ...order,
    engine: fakeEngine(misbehaviour),
    terms: { ...order.terms, ...misbehaviour.terms },
    ...(obstructs === undefined ? {} : { afterBirth: ({ dir }) => mkdirSync(join(dir, obstructs)) }),
  };
}
