import type { Wire } from '../../evidence/schema/exchange.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { ModelAccess } from '../definition.ts';

const API_OF_WIRE: Readonly<Record<Wire, string>> = {
  'openai-chat': 'openai-completions',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic-messages',
  gemini: 'google-generative-ai',
};

/** The text of `models.json`: one provider, whose only model is the gateway. `keyVariable` names the variable with its key. */
export function piModelsFile(model: ModelAccess, keyVariable: string, maxTokens?: number): string {
  const limit = maxTokens === undefined ? {} : { maxTokens };
  return prettyJson({
    providers: {
      [model.provider]: {
        baseUrl: baseUrl(model),
        api: API_OF_WIRE[model.wire],
        apiKey: keyVariable,
        models: [{ id: model.name, ...limit }],
      },
    },
  });
}

function baseUrl({ origin, wire }: ModelAccess): string {
  switch (wire) {
    case 'anthropic-messages':
      return origin;
    case 'gemini':
      return `${origin}/v1beta`;
    default:
      return `${origin}/v1`;
  }
}
