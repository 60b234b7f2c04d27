import { type ModelCall, classifyProviderFailure } from '../../gateway/exchange/provider-failure.ts';
import type { Cause, RawLogs } from '../definition.ts';
import { type CaseEvent, implementerEnd, readCaseEvent } from './events.ts';

/**
 * Case says the same for every answer it could make nothing of. That the envelope was missing is all its logs can tell; why it was,
 * the gateway knows.
 */
export function diagnoseCase(logs: RawLogs): Cause[] {
  const events = logs.ownLog.split('\n').flatMap((line) => readCaseEvent(line) ?? []);
  const protocol = protocolFault(logs, implementerEnd(events));
  if (protocol === null) return [];
  return [...providerFault(implementersCalls(events, logs.calls)), protocol];
}

function protocolFault({ stderr, claims }: RawLogs, end: CaseEvent | null): Cause | null {
  const fault = (detail: string): Cause => ({
    reason: 'case agent result protocol failed',
    kind: 'protocol',
    detail,
    marker: 'provider-agent-protocol.txt',
  });
  const commit = end?.result?.artifacts?.commit ?? null;
  if (end?.outcome === 'completed')
    return commit === null || claims.has(commit)
      ? null
      : fault(`the event log says that the work is done as ${commit}, and no answer of the model held that envelope`);
  const said = /AGENT_RESULT [^"\n]*/.exec(`${end?.result?.error ?? ''}\n${stderr}`)?.[0];
  return said === undefined
    ? null
    : fault(`the implementer's answer held no result envelope that can be read: ${said.trim()}`);
}

function providerFault(calls: readonly ModelCall[]): Cause[] {
  const last = calls.at(-1);
  const problem = last === undefined ? SENT_NOTHING : classifyProviderFailure(last);
  return problem === null ? [] : [{ ...problem, kind: 'provider' }];
}

/** It says nothing of it: without a key that it would use, Case fails before it asks. */
const SENT_NOTHING = {
  reason: 'provider auth bridge unavailable',
  detail: 'Case sent no request: it does so when it has no key for the provider it was told to use',
  marker: 'provider-auth-bridge-unavailable.txt',
};

/** The other roles go on after the implementer has failed: what they were answered explains nothing. */
function implementersCalls(events: readonly CaseEvent[], calls: readonly ModelCall[]): readonly ModelCall[] {
  const ended = implementerEnd(events)?.ts;
  return ended === undefined ? calls : calls.filter((call) => Date.parse(call.started_at) <= Date.parse(ended));
}
