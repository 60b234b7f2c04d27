/** The suites of checks, by the names under which their reports are kept. */
export const ADAPTER_SUITE = 'case-provider-adapter';
export const STAGE2_SUITE = 'case-stage2';
