import { prettyJson } from '../../kernel/canonical.ts';
import { conversationIn, type Saying, type ToolUse, type EngineTurn } from '../report/conversation.ts';
import type { ExportSource } from './source.ts';

/** The Agent Trajectory Interchange Format of the Harbor project. */
const VERSION = 'ATIF-v1.7';

/** The engine's conversation as a trajectory: the instruction, then a step a turn. */
export function exportAtif({ report, events, instruction }: ExportSource): string {
  const { run_id: runId, backend, executable, model, usage } = report;
  const modelName = model?.name ?? null;
  const started = events.find(({ type }) => type === 'backend.started') ?? events[0];
  const steps = [
    {
      step_id: 1,
      source: 'user',
      message: instruction,
      timestamp: started?.time ?? report.run_started_at,
    },
    ...conversationIn(events).map((turn, index) => agentStep(turn, index + 2, modelName)),
  ];
  return prettyJson({
    schema_version: VERSION,
    session_id: runId,
    trajectory_id: runId,
    agent: {
      name: backend,
      version: executable?.version ?? 'unknown',
      ...(modelName === null ? {} : { model_name: modelName }),
      ...(executable === null ? {} : { extra: { sha256: executable.sha256 } }),
    },
    steps,
    notes: "Steps of source agent are what the engine says of itself. The verdict in extra.seatrial is the harness's.",
    final_metrics: {
      ...(usage.input_tokens === null ? {} : { total_prompt_tokens: usage.input_tokens }),
      ...(usage.output_tokens === null ? {} : { total_completion_tokens: usage.output_tokens }),
      ...(usage.cost_usd === null ? {} : { total_cost_usd: usage.cost_usd }),
      total_steps: steps.length,
    },
    extra: {
      seatrial: {
        status: report.status,
        failure_reason: report.failure_reason,
        task: report.task,
        changed_files: report.changed_files,
        patch_sha256: report.patch.sha256,
        ...(report.attempt === undefined ? {} : { attempt: report.attempt, previous_run: report.previous_run }),
      },
    },
  });
}

function agentStep({ time, said, cost }: EngineTurn, stepId: number, modelName: string | null): object {
  const calls = said.flatMap((one, index) => (one.kind === 'tool' ? [toolCall(one, index)] : []));
  const stray = said.flatMap((one) => (one.kind === 'stray result' ? [{ content: one.detail }] : []));
  const results = [...calls.flatMap(({ result }) => (result === null ? [] : [result])), ...stray];
  return {
    step_id: stepId,
    timestamp: time,
    source: 'agent',
    ...(modelName === null ? {} : { model_name: modelName }),
    message: said.flatMap(textOf).join('\n\n'),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ call }) => call) }),
    ...(results.length === 0 ? {} : { observation: { results } }),
    ...(cost.requests === 0
      ? {}
      : {
          metrics: {
            prompt_tokens: cost.inputTokens,
            completion_tokens: cost.outputTokens,
            ...(cost.costUsd === null ? {} : { cost_usd: cost.costUsd }),
          },
          llm_call_count: cost.requests,
        }),
  };
}

/** `index` makes the id of a call that has none unique in its step. */
function toolCall({ id, name, detail, result, edits }: ToolUse, index: number) {
  const callId = id ?? `call-${index + 1}`;
  return {
    call: {
      tool_call_id: callId,
      function_name: name,
      arguments: argumentsOf(detail),
      ...(edits.length === 0 ? {} : { extra: { edits } }),
    },
    result: result === null ? null : { source_call_id: callId, content: result.detail, extra: { ok: result.ok } },
  };
}

/** Arguments are an object there; what is none, or was cut, is kept as text. */
function argumentsOf(detail: string): object {
  try {
    const value: unknown = JSON.parse(detail);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON, such as a shell command.
  }
  return { input: detail };
}

function textOf(said: Saying): string[] {
  switch (said.kind) {
    case 'message':
      return [said.text];
    case 'plan':
      return [`Plan:\n${said.steps.map((step) => `- ${step}`).join('\n')}`];
    case 'claim':
      return [`Claims: ${[said.text, said.commit ?? ''].filter((text) => text !== '').join(' ')}`];
    case 'tool':
    case 'stray result':
      return [];
    default:
      return said satisfies never;
  }
}
