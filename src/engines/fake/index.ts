import { SeatrialError } from '../../kernel/errors.ts';
import type { EngineDefinition } from '../definition.ts';
import { UNRESTRICTED } from '../policy.ts';
import { fakeEngine } from './engine.ts';
import { type Misbehaviour, MISBEHAVIOURS, misbehaviourNamed } from './misbehaviours.ts';

/** Runs the task's oracle, or misbehaves in a named way. The default engine. */
export const fakeDefinition: EngineDefinition = {
  name: 'fake',
  policy: UNRESTRICTED,
  identify: null,
  headless: {
    options: [
      { name: 'misbehave', value: 'name', description: 'misbehave in this way (`seatrial matrix` lists them)' },
    ],
    configure: ({ misbehave }) => fakeEngine(misbehave === undefined ? undefined : requireMisbehaviour(misbehave)),
  },
  reasons: {},
  selfTest: null,
  loops: [],
};

export function requireMisbehaviour(name: string): Misbehaviour {
  const found = misbehaviourNamed(name);
  if (found === undefined)
    throw new SeatrialError(
      'usage',
      `unknown misbehaviour ${JSON.stringify(name)}; the misbehaviours are ${Object.keys(MISBEHAVIOURS).join(', ')}`,
    );
  return found;
}
