import { type JsonObject, objectIn, parseJson } from '../../../../gateway/exchange/json.ts';
import { messageOf } from '../../../../kernel/errors.ts';
import { askModel } from './chat.ts';
import { type AgentResult, readEnvelope } from './envelope.ts';
import type { SimulatorEventLog } from '../pipeline/event-log.ts';
import { findModel, type Model } from './models.ts';
import { systemPrompt } from './prompts.ts';
import type { ToolInvocation } from './reply.ts';
import { duration, logLine, type Notify } from '../say.ts';
import type { ModelName } from '../settings.ts';
import { toolsOf, type AgentTool } from '../tools/list.ts';
import { traceText } from '../pipeline/trace-text.ts';
import { AGENT_OF, type CasePhase } from '../pipeline/words.ts';

export interface AgentOrder {
  readonly phase: CasePhase;
  readonly prompt: string;
  readonly cwd: string;
  readonly model: ModelName;
  readonly log: SimulatorEventLog;
  readonly notify: Notify;
}

const TIMEOUT_MS = 600_000;

/** Runs one agent and reads the envelope in its output. Failures become a failed result; only an unknown model throws. */
export async function runAgent(order: AgentOrder): Promise<AgentResult> {
  const agent = AGENT_OF[order.phase];
  const started = Date.now();
  const model = findModel(order.model);
  logLine('info', 'spawning agent', { agent, cwd: order.cwd, ...order.model, timeout: TIMEOUT_MS });
  const result = readEnvelope(model === null ? '' : await converse(model, order, started));
  logLine('info', 'agent completed', { agent, durationMs: Date.now() - started, status: result.status });
  return result;
}

/** Runs the tool loop and returns all text of the model. */
async function converse(model: Model, order: AgentOrder, started: number): Promise<string> {
  const { phase, prompt, log, notify } = order;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const tools = toolsOf(phase);
  const messages: JsonObject[] = [
    { role: 'system', content: systemPrompt(AGENT_OF[phase]) },
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ];
  let words = '';
  for (;;) {
    const { text, calls, broken } = await askModel(
      model,
      messages,
      tools.map(({ shown }) => shown),
      signal,
    );
    words += text;
    if (broken || calls.length === 0 || signal.aborted) return words;
    const tool_calls = calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    }));
    messages.push({ role: 'assistant', content: text === '' ? null : text, tool_calls });
    for (const call of calls) {
      notify(`  ... still running (${duration(Date.now() - started)})`);
      const content = await useTool(call, tools, { phase, cwd: order.cwd, signal, log });
      messages.push({ role: 'tool', content, tool_call_id: call.id });
    }
  }
}

interface ToolContext {
  readonly phase: CasePhase;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly log: SimulatorEventLog;
}

async function useTool(
  call: ToolInvocation,
  tools: readonly AgentTool[],
  { phase, cwd, signal, log }: ToolContext,
): Promise<string> {
  const args = objectIn(parseJson(call.arguments));
  const about = { phase, agent: AGENT_OF[phase], toolCallId: call.id, tool: call.name };
  const started = Date.now();
  log.append({ event: 'tool_start', ...about, args: traceText(args) });
  const tool = tools.find(({ name }) => name === call.name);
  let output: string;
  let isError = false;
  try {
    if (tool === undefined) throw new Error(`Tool ${call.name} not found`);
    output = await tool.use(args, cwd, signal);
  } catch (error) {
    output = messageOf(error);
    isError = true;
  }
  const result = { content: [{ type: 'text', text: output }], ...(isError ? { details: {} } : {}) };
  log.append({ event: 'tool_end', ...about, durationMs: Date.now() - started, isError, result: traceText(result) });
  return output;
}
