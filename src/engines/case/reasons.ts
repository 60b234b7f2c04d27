import { type ReasonCatalogue, reasonsOf } from '../../evidence/reasons/reason.ts';

/** Reasons that only a run of Case can have. */
export const CASE_REASONS = {
  case_result_protocol: {
    text: 'case agent result protocol failed',
    status: 'fail',
    cause: 'protocol',
    marker: 'provider-agent-protocol.txt',
    meaning: "Case's last answer contains no readable result envelope, so it handed over nothing.",
    next: 'Read backend/provider-agent-protocol.txt; a model that cannot keep to the envelope is not fit for Case.',
  },
  case_not_equipped: {
    text: 'case needs its program and an admitted model',
    status: 'blocked',
    meaning: 'Case was requested without its program or without a model.',
    next: 'Run `seatrial engines` to see what is missing.',
  },
  case_provider_unmapped: {
    text: 'case sends no request for a provider called {provider}: map it to {known} in its admission',
    status: 'blocked',
    meaning: 'Case reads keys only for the providers it knows.',
    next: 'Admit the model again with a runtime provider that Case knows.',
  },
} as const satisfies ReasonCatalogue;

export const caseReason = reasonsOf(CASE_REASONS);
