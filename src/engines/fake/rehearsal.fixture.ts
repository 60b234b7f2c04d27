import { type Rehearse, shellOf } from '../conformance/behaviours.fixture.ts';
import { fakeEngine } from './engine.ts';

export const rehearse: Rehearse = (behaviour) =>
  Promise.resolve({ engine: fakeEngine({ script: shellOf(behaviour) }), close: () => Promise.resolve() });
