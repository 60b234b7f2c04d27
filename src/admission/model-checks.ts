import { reason } from '../evidence/reasons/catalogue.ts';
import { type AdmissionCheck, passedCheck, refusedCheck } from './checks.ts';
import { admitEngineCommand, type EngineCheck } from './engine-checks.ts';
import { admittedModel, type AdmissionFacts, asksModel, modelsOfEngine, type ShapeFact } from './facts.ts';
import type { ModelSource } from '../engines/policy.ts';
import { providerNamed } from '../engines/providers.ts';
import { quoted } from './records/quote.ts';
import { faultAbout } from './records/read.ts';

export const checkModel: EngineCheck = (facts, { model: source }) => {
  if (source === null || !asksModel(facts)) return null;
  const { engine } = facts;
  const { provider, name } = facts.model;
  const refusal = { gate: 'model', reason: reason('model_not_admitted') };
  if (provider === null || name === null) return refusedCheck({ ...refusal, ...unnamed(facts, source) });
  const fault = faultAbout('model', facts);
  if (fault !== null) return refusedCheck({ ...refusal, ...fault });
  if (admittedModel(facts) !== null) return passedCheck('model', `${provider} / ${name}`);
  return refusedCheck({
    ...refusal,
    detail: `no record admits ${quoted(provider)} / ${quoted(name)} for ${engine}`,
    next:
      source.from === 'flag'
        ? `admit it: \`${admitEngineCommand(facts)}\``
        : `choose an admitted one (\`seatrial admissions\`), or admit it with \`seatrial admit model --engine ${engine} …\``,
  });
};

function unnamed(facts: AdmissionFacts, source: ModelSource): { readonly detail: string; readonly next: string } {
  const { engine } = facts;
  const { provider, name } = facts.model;
  if (source.from === 'variables') {
    const unset = [...(provider === null ? [source.provider] : []), ...(name === null ? [source.name] : [])];
    return {
      detail: `${unset.join(' and ')} not set: ${engine} may not choose a model itself`,
      next: `set ${unset.join(' and ')} to an admitted model`,
    };
  }
  if (name !== null)
    return { detail: `${quoted(name)} names no provider`, next: `name it as --model <provider>/${name}` };
  const models = modelsOfEngine(facts).map(({ provider: of, model }) => `${of}/${model}`);
  return models.length === 0
    ? { detail: `no model is admitted for ${engine}`, next: `admit one: \`${admitEngineCommand(facts)}\`` }
    : {
        detail: `several models are admitted for ${engine}: ${models.join(', ')}`,
        next: `choose one with --model, or set \`model\` in [engines.${engine}] of seatrial.toml`,
      };
}

const REPLAYED = 'not needed: the responses of another run are replayed';

export const checkCredentials: EngineCheck = (facts, { authGaps }) => {
  const model = admittedModel(facts);
  if (model === null) return null;
  const refusal = { gate: 'credentials', reason: reason('auth_bridge_unavailable') };
  const gap = Object.hasOwn(authGaps, model.provider) ? authGaps[model.provider] : undefined;
  if (gap !== undefined && model.auth_bridge === null)
    return refusedCheck({
      ...refusal,
      detail: `${gap}; the record of ${model.provider} / ${model.model} names no proven bridge`,
      next: 'choose another admitted model, or prove a bridge and name it in the record (`auth_bridge`)',
    });
  const { key_variable: key } = model;
  if (facts.replayed) return passedCheck('credentials', REPLAYED);
  if (key === null) return passedCheck('credentials', 'none needed');
  if (facts.variablesSet.has(key)) return passedCheck('credentials', `${key} is set`);
  return refusedCheck({ ...refusal, detail: `${key} (the key) is not set`, next: `set ${key}` });
};

export const checkEndpoint: EngineCheck = (facts) => {
  const model = admittedModel(facts);
  if (model === null) return null;
  const refusal = {
    gate: 'endpoint',
    reason: reason('provider_unavailable'),
    marker: 'provider-local-config-unavailable.txt',
  };
  if (facts.replayed) return passedCheck('endpoint', REPLAYED);
  const { endpoint_variable: endpoint, provider } = model;
  if (endpoint !== null)
    return facts.variablesSet.has(endpoint)
      ? passedCheck('endpoint', `${endpoint} is set`)
      : refusedCheck({
          ...refusal,
          detail: `${endpoint} (the endpoint) is not set`,
          next: `set ${endpoint}`,
        });
  if (providerNamed(provider) !== null) return passedCheck('endpoint', `the public endpoint of ${provider}`);
  return refusedCheck({
    ...refusal,
    detail: `the record of ${provider} / ${model.model} names no variable for its endpoint`,
    next: 'admit it again with --endpoint-variable <name> --update',
  });
};

/** Probed through the gateway once all other checks pass. Reasoning alone is not an answer. */
export function checkResponseShape({ kind, detail }: ShapeFact): AdmissionCheck {
  const refusal = {
    gate: 'response shape',
    reason: reason('response_shape_unavailable'),
    detail,
    next: 'serve the model so that it answers with content, then run again',
  };
  switch (kind) {
    case 'content':
    case 'tool_calls':
      return passedCheck('response shape', detail);
    case 'reasoning_only':
      return refusedCheck(refusal);
    case 'empty':
    case 'malformed':
      return refusedCheck({ ...refusal, marker: null });
    case 'no_answer':
      return refusedCheck({
        ...refusal,
        reason: reason('provider_unavailable'),
        next: 'check that the provider is up, then run again',
      });
  }
}
