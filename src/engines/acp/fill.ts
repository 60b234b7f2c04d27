import type { Wire } from '../../evidence/schema/exchange.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { ModelAccess } from '../definition.ts';
import { type AcpProfile, type Placeholder, PLACEHOLDERS } from './profile.ts';

export type Values = Readonly<Record<Placeholder, string>>;

/** `asks`: the agent must ask before it acts. */
export function placeholderValues(model: ModelAccess, home: string, asks: boolean): Values {
  const { origin, key, name, wire, helpers } = model;
  return {
    origin,
    base_url: wire.startsWith('openai') ? `${origin}/v1` : origin,
    key,
    model: name,
    helper: helpers[0] ?? name,
    home,
    permission: asks ? 'ask' : 'allow',
    ai_sdk: AI_SDK[wire],
  };
}

/** The libraries by which agents that are built on the AI SDK reach a model. */
const AI_SDK: Readonly<Record<Wire, string>> = {
  'openai-chat': '@ai-sdk/openai-compatible',
  'openai-responses': '@ai-sdk/openai',
  'anthropic-messages': '@ai-sdk/anthropic',
  gemini: '@ai-sdk/google',
};

export function fillText(text: string, values: Values): string {
  return text.replaceAll(PATTERN, (_whole, name: Placeholder) => values[name]);
}

const PATTERN = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');

export function fillRecord(record: Readonly<Record<string, string>>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fillText(text, values)]));
}

/** Tables become JSON, in which values are replaced in names too. */
export function fillFiles(files: NonNullable<AcpProfile['files']>, values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? fillText(content, values) : prettyJson(fillValue(content, values)),
    ]),
  );
}

function fillValue(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [fillText(name, values), fillValue(one, values)]),
  );
}
