import { credentialOf, type ModelRecord } from '../../evidence/schema/admission.ts';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import { reason, REASONS } from '../../evidence/reasons/catalogue.ts';
import { explainCode } from '../../evidence/reasons/explain.ts';
import { type AdmissionCheck, passedCheck, type RefusedCheck, refusedCheck } from './check.ts';
import { admitEngineCommand, type EngineCheck } from './engine-checks.ts';
import { admittedModel, type AdmissionFacts, asksModel, modelsOfEngine, type ShapeFact } from '../facts.ts';
import type { AdmissionPolicy, ModelSource } from '../../engines/policy.ts';
import { providerNamed } from '../../engines/providers.ts';
import { SIGN_INS } from '../../gateway/sign-in/programs.ts';
import { expiryText, loginFault, type SignInFact } from '../login.ts';
import { quoted } from '../records/quote.ts';
import { faultAbout } from '../records/read.ts';

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

export const checkCredentials: EngineCheck = (facts, policy) => {
  const model = admittedModel(facts);
  if (model === null) return usualKeyCheck(facts, policy);
  const refusal = { gate: 'credentials', reason: reason('auth_bridge_unavailable') };
  const gap = missingBridge(model, facts, policy);
  if (gap !== null) return refusedCheck({ ...refusal, ...gap });
  const credential = credentialOf(model);
  if (credential.kind === 'login') {
    const { program: login } = credential;
    const fault = loginFault({ engine: facts.engine, provider: model.provider, login }, policy);
    if (fault !== null) return refusedCheck({ ...refusal, detail: fault, next: 'admit the model again, with a key' });
  }
  if (facts.replayed) return passedCheck('credentials', REPLAYED);
  switch (credential.kind) {
    case 'none':
      return passedCheck('credentials', 'none needed');
    case 'key': {
      const { variable } = credential;
      if (facts.variablesSet.has(variable)) return passedCheck('credentials', `${variable} is set`);
      return refusedCheck({ ...refusal, detail: `${variable} (the key) is not set`, next: `set ${variable}` });
    }
    case 'login':
      return loginCheck(credential.program, facts.signIns[credential.program]);
    default:
      return credential satisfies never;
  }
};

/** While no model is admitted: whether the usual key of the engine's own provider is there, so that all obstacles are known at once. */
function usualKeyCheck(
  { model, variablesSet, engine }: AdmissionFacts,
  { model: source, logins }: AdmissionPolicy,
): AdmissionCheck | null {
  if (source?.from !== 'flag') return null;
  const name = model.provider ?? source.provider;
  const variable = name === null ? null : (providerNamed(name)?.keyVariable ?? null);
  if (variable === null || variablesSet.has(variable)) return null;
  const login = Object.keys(logins).length === 0 ? '' : ', or admit a login (`--login`)';
  return refusedCheck({
    gate: 'credentials',
    reason: reason('auth_bridge_unavailable'),
    detail: `${variable} (the key of ${name}) is not set`,
    next: `\`export ${variable}=…\`${login}, or give ${engine} a model of another provider`,
  });
}

/** A record's words about a bridge are no evidence: a login and a passing check report of this program are. */
function missingBridge(
  { provider, model, login }: ModelRecord,
  { provenBridges }: AdmissionFacts,
  { authGaps, logins }: AdmissionPolicy,
): { readonly detail: string; readonly next: string } | null {
  const gap = Object.hasOwn(authGaps, provider) ? authGaps[provider] : undefined;
  if (gap === undefined) return null;
  const programs = logins[provider]?.of ?? [];
  if (login === undefined)
    return {
      detail: `${gap}; the record of ${provider} / ${model} names no login`,
      next:
        programs.length === 0
          ? 'choose another admitted model'
          : `choose another admitted model, or admit this one again with --login ${programs.join(' or --login ')}`,
    };
  return provenBridges.has(provider)
    ? null
    : {
        detail: `${gap}; no passing check report of this machine shows the bridge with this program`,
        next: `show it with this program: \`seatrial check auth-bridge ${provider}\``,
      };
}

function loginCheck(program: SignInName, fact: SignInFact | undefined): AdmissionCheck {
  const { renew } = SIGN_INS[program];
  const refusal = { gate: 'credentials', next: `sign in with \`${renew}\`` };
  const where = fact?.where ?? program;
  switch (fact?.state) {
    case 'ready':
      return passedCheck('credentials', `login of ${program} in ${where}, ${expiryText(fact.expiresAt)}`);
    case 'expired':
      return refusedCheck({
        ...refusal,
        reason: reason('login_expired', { program, renew }),
        detail: `the login of ${program} in ${where} was ${expiryText(fact.expiresAt)}`,
      });
    case 'unusable':
    case 'absent':
    case undefined:
      return refusedCheck({
        ...refusal,
        reason: reason('login_missing', { program, renew }),
        detail: `${where} ${fact?.why ?? 'holds no sign-in'}`,
      });
  }
}

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
  if (endpoint !== null) return endpointCheck(facts, endpoint, refusal);
  if (providerNamed(provider) !== null) return passedCheck('endpoint', `the public endpoint of ${provider}`);
  return refusedCheck({
    ...refusal,
    detail: `the record of ${provider} / ${model.model} names no variable for its endpoint`,
    next: 'admit it again with --endpoint-variable <name> --update',
  });
};

function endpointCheck(
  { variablesSet, endpointFaults }: AdmissionFacts,
  variable: string,
  refusal: Pick<RefusedCheck, 'gate' | 'reason' | 'marker'>,
): AdmissionCheck {
  const fault = endpointFaults[variable];
  if (!variablesSet.has(variable))
    return refusedCheck({
      ...refusal,
      detail: `${variable} (the endpoint) is not set`,
      next: `set ${variable} to the address of the model's server, such as http://127.0.0.1:8000/v1`,
    });
  if (fault !== undefined)
    return refusedCheck({ ...refusal, detail: `${variable} (the endpoint) ${fault}`, next: `correct ${variable}` });
  return passedCheck('endpoint', `${variable} is set`);
}

/** Probed through the gateway once all other checks pass. Reasoning alone is not an answer. */
export function checkResponseShape({ kind, detail, problem, answeredBy, named }: ShapeFact): AdmissionCheck {
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
    case 'other_model':
      return refusedCheck({
        ...refusal,
        reason: reason('other_model_served', { model: answeredBy ?? 'unknown' }),
        next: 'serve the admitted model; if it only has another name there: `seatrial admit model … --served-as <name> --update`',
      });
    case 'no_answer':
      return refusedCheck({
        ...refusal,
        reason: named ?? reason('provider_unavailable'),
        next: named === undefined ? NEXT_AFTER[problem ?? 'cut'] : explainCode(named.code, REASONS).next,
      });
  }
}

const NEXT_AFTER: Readonly<Record<NonNullable<ShapeFact['problem']>, string>> = {
  unreachable: "start the model's server, or correct the variable with its address; then run again",
  unauthorized:
    'the server wants a key: set its variable, or admit the model again with --key-variable <NAME> --update if it has none',
  http_error:
    'check that the address has the right path (most end in /v1) and that the server knows the model by this name (--served-as); then run again',
  timeout: 'give the model more time, or a smaller load; then run again',
  cut: 'check that the provider is up, then run again',
};
