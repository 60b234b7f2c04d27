import { reason } from '../../evidence/reasons/catalogue.ts';
import { classifyProviderFailure } from '../../gateway/exchange/provider-failure.ts';
import type { Cause, EngineEvent, RawLogs } from '../definition.ts';

/** Agents exit with 0 and report success whatever their model answered: only the gateway's last exchange tells. */
export function diagnoseAgent({ calls, refusedModels: [refused] }: RawLogs): readonly Cause[] {
  const last = calls.at(-1);
  if (last === undefined && refused !== undefined)
    return [{ reason: reason('other_model_requested', { model: refused }), detail: 'it asked for no admitted model' }];
  const failure = last === undefined ? null : classifyProviderFailure(last);
  return failure === null ? [] : [failure];
}

/** A tool call that failed explains why nothing changed, whatever the agent said afterwards. */
export function explainNoChange(
  engine: string,
  { stdout, calls }: RawLogs,
  read: (line: string) => readonly EngineEvent[],
): Cause | null {
  if (calls.length === 0)
    return { reason: reason('engine_did_nothing', { engine }), detail: `${engine} sent no request to its model` };
  const events = stdout.split('\n').flatMap(read);
  const failed = events.findLast((event) => event.type === 'engine.tool_result' && !event.data.ok);
  if (failed?.type !== 'engine.tool_result') return null;
  const call = events.find((event) => event.type === 'engine.tool' && event.data.id === failed.data.id);
  const tool = call?.type === 'engine.tool' ? call.data.name : 'a tool';
  const said = events.findLast((event) => event.type === 'engine.message');
  const claim = said?.type === 'engine.message' ? `; it ended with: ${said.data.text.trim().slice(0, 200)}` : '';
  return {
    reason: reason('tool_call_failed', { tool, engine }),
    detail: `${tool}: ${failed.data.detail.slice(0, 300)}${claim}`,
  };
}
