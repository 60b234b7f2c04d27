import type { Wire } from '../evidence/schema/exchange.ts';
import type { OfferedModels } from './policy.ts';

/** A provider of models with a public endpoint. Every other one needs a variable for its endpoint. */
export interface Provider {
  readonly endpoint: string;
  readonly wires: readonly Wire[];
  /** The variable in which people keep its key. Null: it takes logins only. */
  readonly keyVariable: string | null;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    endpoint: 'https://api.anthropic.com',
    wires: ['anthropic-messages'],
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  openai: {
    endpoint: 'https://api.openai.com/v1',
    wires: ['openai-responses', 'openai-chat'],
    keyVariable: 'OPENAI_API_KEY',
  },
  // The models of a ChatGPT plan.
  'openai-codex': {
    endpoint: 'https://chatgpt.com/backend-api/codex',
    wires: ['openai-responses'],
    keyVariable: null,
  },
  google: {
    endpoint: 'https://generativelanguage.googleapis.com',
    wires: ['gemini'],
    keyVariable: 'GEMINI_API_KEY',
  },
  openrouter: {
    endpoint: 'https://openrouter.ai/api/v1',
    wires: ['openai-chat'],
    keyVariable: 'OPENROUTER_API_KEY',
  },
  dashscope: {
    endpoint: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    wires: ['openai-chat'],
    keyVariable: 'DASHSCOPE_API_KEY',
  },
};

/** The variables in which people keep the keys of these providers. */
export const USUAL_KEYS: readonly string[] = Object.values(PROVIDERS).flatMap(({ keyVariable }) => keyVariable ?? []);

export function providerNamed(name: string): Provider | null {
  return Object.hasOwn(PROVIDERS, name) ? (PROVIDERS[name] ?? null) : null;
}

export interface NamedModel {
  readonly provider: string;
  readonly name: string;
}

/** `<provider>/<model>`, or a model of the engine's own provider. Null: the provider is not known. */
export function readModelName(text: string, { provider: own, aliases }: OfferedModels): NamedModel | null {
  const slash = text.indexOf('/');
  const provider = slash === -1 ? own : text.slice(0, slash);
  const given = text.slice(slash + 1);
  if (provider === null || provider === '' || given === '') return null;
  return { provider, name: provider === own && Object.hasOwn(aliases, given) ? (aliases[given] ?? given) : given };
}

/** The protocol that program and provider share. Null: they share none. An unknown provider is taken to serve the preferred one. */
export function sharedWire({ wires }: OfferedModels, provider: string): Wire | null {
  const known = providerNamed(provider);
  return wires.find((wire) => known === null || known.wires.includes(wire)) ?? null;
}
