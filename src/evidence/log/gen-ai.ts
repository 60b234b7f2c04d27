/*
 * Spans of agents, tools and models under the names of OpenTelemetry's semantic conventions for generative AI. These are still in
 * development there, so the version is pinned here and nowhere else. No verdict and no check reads a span by its name.
 */
import type { Wire } from '../schema/exchange.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

const CONVENTIONS_VERSION = '1.41.0';
export const CONVENTIONS_URL = `https://opentelemetry.io/schemas/${CONVENTIONS_VERSION}`;

export interface DescribedSpan {
  readonly name: string;
  /** `client`: it waits for a program elsewhere. */
  readonly kind: 'internal' | 'client';
  readonly attributes: Attributes;
}

type Optional = Readonly<Record<string, string | number | boolean | null | undefined>>;

function known(attributes: Optional): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[key, value] as const],
    ),
  );
}

/** One engine at work, from its start to its end. */
export function agentSpan(agent: {
  readonly name: string;
  readonly version: string | null;
  readonly conversation: string | null;
  readonly model: { readonly provider: string; readonly name: string } | null;
  readonly exitCode: number | null;
}): DescribedSpan {
  return {
    name: `invoke_agent ${agent.name}`,
    kind: 'internal',
    attributes: known({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent.name,
      'gen_ai.agent.version': agent.version,
      'gen_ai.conversation.id': agent.conversation,
      'gen_ai.provider.name': agent.model === null ? null : providerName(agent.model.provider),
      'gen_ai.request.model': agent.model?.name,
      'process.exit.code': agent.exitCode,
    }),
  };
}

/** One request to a model, as the gateway saw it. */
export function modelSpan(call: {
  readonly provider: string;
  readonly model: string;
  readonly answeredBy: string | null;
  readonly wire: Wire;
  readonly streamed: boolean;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
  readonly costUsd: number | null;
  readonly status: number | null;
  /** What went wrong; null: nothing. */
  readonly fault: string | null;
  readonly purpose: string;
}): DescribedSpan {
  const operation = call.wire === 'gemini' ? 'generate_content' : 'chat';
  return {
    name: `${operation} ${call.model}`,
    kind: 'client',
    attributes: known({
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerName(call.provider),
      'gen_ai.request.model': call.model,
      'gen_ai.request.stream': call.streamed,
      'gen_ai.response.model': call.answeredBy,
      'gen_ai.usage.input_tokens': call.usage?.input_tokens,
      'gen_ai.usage.output_tokens': call.usage?.output_tokens,
      'http.response.status_code': call.status,
      'error.type': call.fault,
      'seatrial.cost_usd': call.costUsd,
      'seatrial.purpose': call.purpose,
    }),
  };
}

/** One call of a tool, as the engine tells it. */
export function toolSpan(tool: { readonly name: string; readonly id: string; readonly ok: boolean }): DescribedSpan {
  return {
    name: `execute_tool ${tool.name}`,
    kind: 'internal',
    attributes: known({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.call.id': tool.id,
      'error.type': tool.ok ? null : 'tool_failed',
    }),
  };
}

/** The conventions have names of their own for some providers. */
function providerName(provider: string): string {
  return (
    { google: 'gcp.gemini', azure: 'azure.ai.openai', bedrock: 'aws.bedrock', mistral: 'mistral_ai' }[provider] ??
    provider
  );
}
