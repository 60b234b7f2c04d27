import type { SelfTest } from '../../self-test.ts';
import { bridgeSuite } from '../../self-test.ts';
import { ADAPTER_SCENARIOS } from './adapter.ts';
import { BRIDGE_SCENARIOS } from './bridge.ts';
import { CODEX, completeSetting, KEY_CANARY } from './setting.ts';
import { STAGE2_SCENARIOS } from './stage2.ts';

export const caseSelfTest: SelfTest = {
  scenarios: {
    'case-provider-adapter': ADAPTER_SCENARIOS,
    'case-stage2': STAGE2_SCENARIOS,
    [bridgeSuite(CODEX.provider)]: BRIDGE_SCENARIOS,
  },
  setting: completeSetting,
  keyCanary: KEY_CANARY,
};
