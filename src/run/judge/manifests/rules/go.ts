import { byKey, knownKeys } from '../rule.ts';
import type { RuleMaker } from './rule-maker.ts';

/** `replace`, `exclude`, `toolchain`, `godebug` and `tool` are the base's, like every directive that is not named here. */
export const goModule: RuleMaker = ({ isNew, isTool }) =>
  knownKeys(
    ['module', isNew ? 'patch' : 'base'],
    ['go', isNew ? 'patch' : 'contested'],
    ['require', byKey((path) => (isTool(path) ? 'base' : 'patch'))],
  );

/** Hashes of both: the modules of the base's tests stay at the base's versions, those of the product follow the patch. */
export const goSums: RuleMaker = ({ base }) => byKey((key) => (base.has(key) ? 'base' : 'patch'));
