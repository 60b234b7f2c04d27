import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { AdmissionPolicy } from '../../../engines/policy.ts';
import { policyOf } from '../../../admission/policy.ts';
import { type Admission, parseRecord } from '../../../admission/records/parse.ts';
import { type Admissions, readAdmissions, subjectOf } from '../../../admission/records/read.ts';
import { keepAdmission } from '../../../admission/records/write.ts';
import { safeLine, safeText } from '../../../evidence/report/render/text/safe-text.ts';
import { loginFault } from '../../../admission/login.ts';
import { type AdmissionRecord, type ModelRecord } from '../../../evidence/schema/admission.ts';
import { Masker } from '../../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';
import { allValues } from '../../../evidence/secrets/variables.ts';
import { refuseLinks } from '../../../evidence/storage/no-follow.ts';
import { prettyJson } from '../../../kernel/canonical.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import {
  type DecisionFlags,
  engineCommand,
  executableCommand,
  modelCommand,
  sourceCommand,
  taskRecordCommand,
} from './admit-options.ts';
import { draftEngine } from './admit-engine.ts';
import { draftExecutable, draftModel, draftSource, draftTask, readDraft, readSourceDraft } from './admit-records.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { askYesNo } from '../../terminal/ask-person.ts';
import { callerSecrets } from '../../environment/caller-secrets.ts';
import { modelsOf } from '../../environment/models.ts';
import { readSettings } from '../../environment/settings.ts';
import { withServedName } from './ask-endpoint.ts';
import { agentLines, termsLines } from './record-lines.ts';

export function admitCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('admit').description(
    'Record an approved source, executable, model or task. Only approved ones take part in runs.',
  );
  const source = handledBy(sourceCommand(), async (_args, flags) =>
    admit(await draft(flags, 'source', draftSource), flags),
  );
  const model = handledBy(modelCommand(), async (_args, flags) =>
    admitAll([await draft(flags, 'model', draftModel)], flags, flags.ask ? addServedName : undefined),
  );
  const executable = handledBy(executableCommand(), async ([path], flags) =>
    admit(await draftExecutable(path, flags, admissionsSoFar()), flags),
  );
  const engine = handledBy(engineCommand(), async ([name], flags) =>
    admitAll(await draftEngine(name, flags, admissionsSoFar()), flags, flags.ask ? addServedName : undefined),
  );
  const task = handledBy(taskRecordCommand(), async ([dir], flags) => admit(await draftTask(dir, flags), flags));
  for (const sub of [engine, source, model, executable, task]) command.addCommand(sub);
  return parseAndRun(command, args);
}

/** Flags that do not describe a record. */
const OF_EVERY_RECORD: ReadonlySet<string> = new Set('from approver update yes json ask acceptTerms'.split(' '));

async function draft<F extends DecisionFlags & { readonly from?: string | undefined }>(
  flags: F,
  kind: string,
  make: (flags: F) => object | Promise<object>,
): Promise<object> {
  const { from } = flags;
  if (from === undefined) return make(flags);
  if (Object.keys(flags).some((name) => !OF_EVERY_RECORD.has(name)))
    throw new SeatrialError(
      'usage',
      '--from reads the whole record from the file; leave out the flags that describe it',
    );
  return kind === 'source' ? readSourceDraft(from) : readDraft(from, kind);
}

const admissionsSoFar = (): Admissions => readAdmissions(readSettings(process.cwd()).admissions);

const admit = (drafted: object, flags: DecisionFlags): Promise<ExitCode> => admitAll([drafted], flags);

/** Approver and date are set here, whatever a file says. */
export async function admitAll(
  drafted: readonly object[],
  flags: DecisionFlags,
  complete: (record: AdmissionRecord) => Promise<AdmissionRecord> = async (record) => record,
): Promise<ExitCode> {
  const decision = { admitted_at: new Date().toISOString(), approver: flags.approver ?? callerName() };
  const records = await Promise.all(
    drafted.map(async (one) =>
      requireRecord(await complete(requireRecord({ schema_version: 1, ...one, ...decision }))),
    ),
  );
  const { root, admissions } = readSettings(process.cwd());
  refuseLinks(root, admissions);
  const terms = records.flatMap(termsLines);
  if (flags.yes === true && terms.length > 0 && flags.acceptTerms !== true)
    throw new SeatrialError(
      'usage',
      [...terms, '--yes does not answer for a login: read the above, then give --accept-terms too'].join('\n'),
    );
  if (flags.yes !== true) {
    const [record] = records;
    const agreed = await askYesNo(
      record !== undefined && records.length === 1 && !isOfAgent(record)
        ? [safeText(prettyJson(record)), ...terms, `Admit ${safeLine(subjectOf(record))}?`].join('\n')
        : [...records.flatMap(agentLines).map(safeLine), ...terms, 'Admit it?'].join('\n'),
    );
    if (agreed === null)
      throw new SeatrialError('usage', 'there is no terminal to ask on; review the record, then give --yes');
    if (!agreed) {
      process.stderr.write('not admitted\n');
      return EXIT.fail;
    }
  }
  const kept: Admission[] = [];
  for (const record of records) kept.push(await keepAdmission(admissions, record, flags.update === true));
  print(flags.json, kept.length === 1 ? kept[0] : kept, () =>
    kept.map(({ record, file }) =>
      safeLine(`admitted ${subjectOf(record)} in ${relative('', join(admissions, file))}`),
    ),
  );
  return EXIT.pass;
}

const isOfAgent = ({ engine }: AdmissionRecord): boolean => ownPolicy(engine)?.model?.from === 'flag';

const ownPolicy = (engine: string): AdmissionPolicy | null => policyOf(engine, readSettings(process.cwd()).acpProfiles);

/** What the endpoint calls the model is part of what the person admits. */
async function addServedName(record: AdmissionRecord): Promise<AdmissionRecord> {
  if (record.kind !== 'model') return record;
  const { record: completed, note } = await withServedName(record, modelsOf({ budgets: {} }, process.env, {}));
  if (note !== null) process.stderr.write(`note: ${safeLine(note)}\n`);
  return completed;
}

function callerName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // a user without a name
  }
}

function requireRecord(value: object): AdmissionRecord {
  const text = JSON.stringify(value);
  const parsed = parseRecord('the record', text);
  if (!('record' in parsed)) throw new SeatrialError('usage', `cannot admit this: the record ${parsed.what}`);
  const { record } = parsed;
  if (ownPolicy(record.engine) === null)
    throw new SeatrialError('usage', `unknown engine ${record.engine}; \`seatrial engines\` lists them`);
  const fault = record.kind === 'model' ? loginFaultOf(record) : null;
  if (fault !== null) throw new SeatrialError('usage', `cannot admit this: ${fault}`);
  const named = record.kind === 'model' ? [record.endpoint_variable, record.key_variable] : [];
  const held = named.flatMap((name) => {
    const content = name === null ? undefined : process.env[name];
    return name === null || content === undefined ? [] : [[name, content] as const];
  });
  const masker = new Masker(new SecretPatterns([...callerSecrets(), ...allValues(held)]));
  masker.text(text);
  const secret = masker.masked[0]?.name;
  if (secret !== undefined)
    throw new SeatrialError('usage', `cannot admit this: the record would contain the value of ${secret}`);
  return record;
}

function loginFaultOf({ engine, provider, login }: ModelRecord): string | null {
  const policy = ownPolicy(engine);
  return policy === null || login === undefined ? null : loginFault({ engine, provider, login }, policy);
}
