import { type Rehearse, shellOf } from '../conformance/behaviours.fixture.ts';
import { commandEngine } from './engine.ts';

export const rehearse: Rehearse = (behaviour) =>
  Promise.resolve({ engine: commandEngine(shellOf(behaviour)), close: () => Promise.resolve() });
