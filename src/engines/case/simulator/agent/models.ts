import { join } from 'node:path';
import * as z from 'zod/mini';
import { piDir } from './pi.ts';
import { type ModelName, readJson } from '../settings.ts';

const modelsFile = z.object({
  providers: z.record(
    z.string(),
    z.object({
      baseUrl: z.string(),
      api: z.optional(z.string()),
      models: z.optional(z.array(z.object({ id: z.string(), maxTokens: z.optional(z.number()) }))),
    }),
  ),
});

export interface Model {
  readonly id: string;
  readonly api: 'openai-completions' | 'openai-responses';
  readonly maxTokens: number;
  readonly baseUrl: string;
  readonly key: string;
}

/** The only sources of keys; keys in models.json are ignored. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** Models that Case knows without a models.json. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-/,
  openai: /^(gpt-|o\d)/,
  'openai-codex': /^gpt-/,
};

const MAX_TOKENS = 32_000;

/** The APIs of `models.json` that the simulator supports. */
const isSupported = (api: string | undefined): api is Model['api'] =>
  api === 'openai-completions' || api === 'openai-responses';

/** Null if the model is known but no request can be sent: it has no key, or the simulator does not support its API. */
export function findModel({ provider, model }: ModelName): Model | null {
  const configured = modelsFile.safeParse(readJson(join(piDir(), 'models.json')).value).data?.providers[provider];
  const entry = configured?.models?.find(({ id }) => id === model);
  if (configured === undefined || entry === undefined) {
    if (KNOWN[provider]?.test(model)) return null;
    throw new Error(`Model not found: ${provider}/${model}. Check ~/.config/case/config.json`);
  }
  const key = process.env[KEY_VARIABLES[provider] ?? ''] ?? '';
  const { api } = configured;
  if (key === '' || !isSupported(api)) return null;
  return {
    id: model,
    api,
    maxTokens: Math.min(entry.maxTokens ?? MAX_TOKENS, MAX_TOKENS),
    baseUrl: configured.baseUrl,
    key,
  };
}
