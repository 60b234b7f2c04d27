import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { RESULT_SUFFIX, sealStageResult } from '../../evidence/verification-result/seal-result.ts';
import type { Companion } from './store.ts';

/** The statement that goes beside a decision that grants a stage. */
export const stageResult = (key: HarnessKey): Companion => ({
  suffix: RESULT_SUFFIX,
  bytesFor: ({ record, file, sha256 }) => {
    if (record.kind !== 'decision' || record.action !== 'promote') throw new Error('only a granted stage is stated');
    return sealStageResult(record, file, sha256, key);
  },
});
