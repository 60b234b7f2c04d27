import { reason } from '../../evidence/reasons/catalogue.ts';
import { classifyProviderFailure } from '../../gateway/exchange/provider-failure.ts';
import { joinMessages } from '../partial-messages.ts';
import type { Cause, EngineEvent, RawLogs } from '../definition.ts';

/** Agents exit with 0 and report success whatever their model answered: only the gateway's last exchange tells. */
export function diagnoseAgent({ calls, refusedModels: [refused] }: RawLogs): readonly Cause[] {
  const last = calls.at(-1);
  if (last === undefined && refused !== undefined)
    return [{ reason: reason('other_model_requested', { model: refused }), detail: 'it asked for no admitted model' }];
  const failure = last === undefined ? null : classifyProviderFailure(last);
  return failure === null ? [] : [failure];
}

const TIMED_OUT = 124;

/** Why nothing changed, whatever the agent said afterwards: the first of these that its logs show. */
export function explainNoChange(
  engine: string,
  { stdout, calls, denials, exitCode }: RawLogs,
  readAll: (stdout: string) => readonly EngineEvent[],
): Cause | null {
  const last = calls.at(-1);
  // Of one whose time was over, that is the cause.
  if (last === undefined && exitCode === TIMED_OUT) return null;
  if (last === undefined)
    return { reason: reason('engine_did_nothing', { engine }), detail: `${engine} sent no request to its model` };
  const said = readWords(joinMessages(readAll(stdout)));
  if (last.problem?.kind === 'model_refused')
    return { reason: reason('model_refused', { engine }), detail: `the model refused to answer${said.ending}` };
  const denied = denials.at(-1);
  if (denied !== undefined)
    return {
      reason: reason('tool_call_denied', { tool: shortCall(denied), engine }),
      detail: `${denied}: denied${said.ending}`,
    };
  // One that was ended from outside could not wait.
  return failedCall(engine, said) ?? (exitCode === 0 ? unfinishedJob(engine, said) : null);
}

/** A call in one short line. */
export function shortCall(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > MAX_CALL || line !== text.trim() ? `${line.slice(0, MAX_CALL)}…` : line;
}

const MAX_CALL = 80;

type Tool = Extract<EngineEvent, { type: 'engine.tool' }>['data'];
type ToolResult = Extract<EngineEvent, { type: 'engine.tool_result' }>['data'];

interface Words {
  readonly tools: readonly Tool[];
  readonly results: readonly ToolResult[];
  /** Its last message, as the end of a sentence. */
  readonly ending: string;
}

function readWords(events: readonly EngineEvent[]): Words {
  const message = events.findLast((event) => event.type === 'engine.message');
  return {
    tools: events.flatMap((event) => (event.type === 'engine.tool' ? [event.data] : [])),
    results: events.flatMap((event) => (event.type === 'engine.tool_result' ? [event.data] : [])),
    ending: message === undefined ? '' : `; it ended with: ${message.data.text.trim().slice(0, 200)}`,
  };
}

/** What agents and their policies say where a tool was not allowed. */
const DENIED =
  /denied|not allowed|not permitted|permission (?:was |is )?(?:required|rejected)|rejected (?:by|permission)|haven't granted|disallowed/i;
/** What a file system says, which is a failure and no decision. */
const SYSTEM = /EACCES|EPERM|EROFS|read-only file system|permission denied/i;

function failedCall(engine: string, { tools, results, ending }: Words): Cause | null {
  const failed = results.findLast(({ ok }) => !ok);
  if (failed === undefined) return null;
  const tool = tools.find(({ id }) => id === failed.id)?.name ?? 'a tool';
  const isDenied = DENIED.test(failed.detail) && !SYSTEM.test(failed.detail);
  return {
    reason: reason(isDenied ? 'tool_call_denied' : 'tool_call_failed', { tool, engine }),
    detail: `${tool}: ${failed.detail.slice(0, 300)}${ending}`,
  };
}

/** How agents name a job that they do not wait for. */
const BACKGROUND = /"(?:run_in_background|is_background|background)":\s*true/;

/** A job that was started in the background, or a call that had not returned, is ended with the agent. */
function unfinishedJob(engine: string, { tools, results, ending }: Words): Cause | null {
  const finished = new Set(results.map(({ id }) => id));
  const job = tools.findLast(({ detail, id }) => BACKGROUND.test(detail) || (id !== undefined && !finished.has(id)));
  if (job === undefined) return null;
  return {
    reason: reason('background_job_ended', { engine, tool: job.name }),
    detail: `${job.name} ${job.detail.slice(0, 300)}${ending}`,
  };
}
