import { join } from 'node:path';
import * as z from 'zod/mini';
import { piDir } from './pi.ts';
import { type ModelName, readJson } from './settings.ts';

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
  readonly maxTokens: number;
  readonly baseUrl: string;
  readonly key: string;
}

/** The only places a key is taken from; one that stands in models.json is not. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** Case knows the models of these without being told. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-/,
  openai: /^(gpt-|o\d)/,
  'openai-codex': /^gpt-/,
};

const MAX_TOKENS = 32_000;

/** The API of `models.json` that the stand-in speaks. */
const API = 'openai-completions';

/** Null: Case knows the model, but no request can be sent: there is no key for it, or the stand-in does not speak its API. */
export function findModel({ provider, model }: ModelName): Model | null {
  const told = modelsFile.safeParse(readJson(join(piDir(), 'models.json')).value).data?.providers[provider];
  const entry = told?.models?.find(({ id }) => id === model);
  if (told === undefined || entry === undefined) {
    if (KNOWN[provider]?.test(model)) return null;
    throw new Error(`Model not found: ${provider}/${model}. Check ~/.config/case/config.json`);
  }
  const key = process.env[KEY_VARIABLES[provider] ?? ''] ?? '';
  if (key === '' || told.api !== API) return null;
  return { id: model, maxTokens: Math.min(entry.maxTokens ?? MAX_TOKENS, MAX_TOKENS), baseUrl: told.baseUrl, key };
}
