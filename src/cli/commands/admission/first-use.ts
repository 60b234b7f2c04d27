import { firstRefusal } from '../../../admission/decide.ts';
import { admittedModel } from '../../../admission/facts.ts';
import { gatherAdmissionFacts } from '../../../admission/gather.ts';
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
  if (refusal === null || !ASKED_ABOUT.has(refusal.reason.code)) return;
  const known = admittedModel(facts);
  const named =
    known === null
      ? (requested ?? (await askModel(engine, Object.keys(policy.model?.from === 'flag' ? policy.model.aliases : {}))))
      : `${known.provider}/${known.model}`;
  if (named === '') return;
  const drafts = await draftEngine(engine, { model: named, ask: false }, facts.admissions);
  await admitAll(known === null ? drafts : drafts.filter(({ kind }) => kind !== 'model'), {});
}

const ASKED_ABOUT: ReadonlySet<string> = new Set(['executable_not_admitted', 'model_not_admitted']);

async function askModel(engine: string, aliases: readonly string[]): Promise<string> {
  const forms = ['<provider>/<model>', ...aliases].join(', ');
  return (await askLine(`Which model should ${engine} ask? (${forms}) `)) ?? '';
}
