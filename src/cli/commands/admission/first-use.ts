import { firstRefusal } from '../../../admission/decide.ts';
import { admittedModel } from '../../../admission/facts.ts';
import { gatherAdmissionFacts } from '../../../admission/gather.ts';
import type { AdmissionPolicy } from '../../../engines/policy.ts';
import { providerNamed, readModelName } from '../../../engines/providers.ts';
import { engineNamed } from '../../../engines/list.ts';
import { callerOf } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { askLine } from '../../terminal/ask-person.ts';
import { draftEngine } from './admit-engine.ts';
import { admitAll } from './admit.ts';

/** On a terminal, an installed agent that is not admitted yet is shown, with its model, and admitted after a yes. */
export async function admitOnFirstUse(engine: string, requested: string | undefined): Promise<void> {
  const policy = engineNamed(engine, readSettings(process.cwd()).acpProfiles)?.policy;
  if (policy?.executable?.from !== 'path' || !process.stderr.isTTY) return;
  const model = requested === undefined ? undefined : { engine, name: requested };
  const facts = gatherAdmissionFacts(engine, callerOf(readSettings(process.cwd()), process.env, model));
  const refusal = firstRefusal(facts);
  if (refusal === null || !ASKED_ON_FIRST_USE.has(refusal.reason.code)) return;
  const known = admittedModel(facts);
  const named = known === null ? (requested ?? (await askModel(engine, policy))) : `${known.provider}/${known.model}`;
  if (named === '') return;
  const endpointVariable = known === null ? await askAddress(named, policy) : known.endpoint_variable;
  const address = endpointVariable === null || endpointVariable === '' ? {} : { endpointVariable };
  const drafts = await draftEngine(engine, { model: named, ask: false, ...address }, facts.admissions);
  await admitAll(known === null ? drafts : drafts.filter(({ kind }) => kind !== 'model'), {});
}

/** The refusals that a first run on a terminal turns into a question. */
export const ASKED_ON_FIRST_USE: ReadonlySet<string> = new Set(['executable_not_admitted', 'model_not_admitted']);

async function askModel(engine: string, { model }: AdmissionPolicy): Promise<string> {
  const { provider, aliases } = model?.from === 'flag' ? model : { provider: null, aliases: {} };
  const own = provider === null ? [] : [...Object.keys(aliases), `a model of ${provider}`];
  return (await askLine(`Which model should ${engine} ask? (${[...own, '<provider>/<model>'].join(', ')}) `)) ?? '';
}

/** Null: the provider's address is well known, or is not the question. */
async function askAddress(named: string, { model }: AdmissionPolicy): Promise<string | null> {
  const provider = model?.from === 'flag' ? (readModelName(named, model)?.provider ?? null) : null;
  if (provider === null || providerNamed(provider) !== null) return null;
  return askLine(`Which variable holds the address of ${provider}? (its name, such as MODEL_URL) `);
}
