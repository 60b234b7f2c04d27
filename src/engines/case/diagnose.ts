import { reason } from '../../evidence/reasons/catalogue.ts';
import { type ModelCall, classifyProviderFailure } from '../../gateway/exchange/provider-failure.ts';
import type { Cause, RawLogs } from '../definition.ts';
import { type CaseEvent, implementerEnd, readCaseEvent } from './events.ts';
import { caseReason } from './reasons.ts';

/**
 * Case logs the same error for every unusable answer: a missing envelope. Only the gateway's exchanges show
 * why it was missing.
 */
export function diagnoseCase(logs: RawLogs): Cause[] {
  const events = logs.ownLog.split('\n').flatMap((line) => readCaseEvent(line) ?? []);
  const protocol = protocolFault(logs, implementerEnd(events));
  if (protocol === null) return [];
  return [...providerFault(implementerCalls(events, logs.calls)), protocol];
}

function protocolFault({ stderr, claims }: RawLogs, end: CaseEvent | null): Cause | null {
  const fault = (detail: string): Cause => ({ reason: caseReason('case_result_protocol'), detail });
  const commit = end?.result?.artifacts?.commit ?? null;
  if (end?.outcome === 'completed')
    return commit === null || claims.has(commit)
      ? null
      : fault(`the event log claims commit ${commit}, but no answer of the model contains that envelope`);
  const parseError = /AGENT_RESULT [^"\n]*/.exec(`${end?.result?.error ?? ''}\n${stderr}`)?.[0];
  return parseError === undefined
    ? null
    : fault(`the implementer's answer contains no readable result envelope: ${parseError.trim()}`);
}

function providerFault(calls: readonly ModelCall[]): Cause[] {
  const last = calls.at(-1);
  const problem = last === undefined ? SENT_NOTHING : classifyProviderFailure(last);
  return problem === null ? [] : [problem];
}

/** Without a usable key, Case fails before its first request and does not log why. */
const SENT_NOTHING: Cause = {
  reason: reason('auth_bridge_unavailable'),
  detail: 'Case sent no request, as it does when it has no key for the configured provider',
};

/** Other roles keep running after the implementer has failed; their calls do not explain the failure. */
function implementerCalls(events: readonly CaseEvent[], calls: readonly ModelCall[]): readonly ModelCall[] {
  const ended = implementerEnd(events)?.ts;
  return ended === undefined ? calls : calls.filter((call) => Date.parse(call.started_at) <= Date.parse(ended));
}
