import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { Command, Option } from 'commander';
import { policyOf } from '../../admission/policy.ts';
import { parseRecord } from '../../admission/parse-record.ts';
import { readAdmissions, subjectOf } from '../../admission/records.ts';
import { keepAdmission } from '../../admission/write.ts';
import { safeLine, safeText } from '../../evidence/report/render/text/safe-text.ts';
import type { AdmissionRecord } from '../../evidence/schema/admission.ts';
import { wire } from '../../evidence/schema/exchange.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { allValues } from '../../evidence/secrets/variables.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { draftExecutable, draftModel, draftSource, type Flags, readDraft } from '../admit-records.ts';
import { handledBy, parseAndRun, price } from '../options.ts';
import { askYesNo } from '../ask-person.ts';
import { callerSecrets } from '../environment/caller-secrets.ts';
import { readSettings } from '../environment/settings.ts';

export function admitCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('admit').description(
    'Write down what may take part in runs: where a program comes from, a program, or a model.',
  );
  handledBy(source(command), async (_args, flags) => admit(await draft(flags, 'source', draftSource), flags));
  handledBy(model(command), async (_args, flags) => admit(await draft(flags, 'model', draftModel), flags));
  handledBy(executable(command), async ([path = ''], flags) =>
    admit(await draftExecutable(path, flags, readAdmissions(readSettings(process.cwd()).admissions)), flags),
  );
  return parseAndRun(command, args);
}

function decided(command: Command): Command {
  return command
    .option('--engine <name>', 'the engine that it is for, such as case')
    .option('--approver <name>', 'who admits it; you, unless said')
    .option('--update', 'replace what was admitted before')
    .option('--yes', 'do not ask; needed where nobody can be asked')
    .option('--json', 'print the record as JSON');
}

function source(command: Command): Command {
  return decided(
    command
      .command('source')
      .description('Record where a program comes from. Nothing is fetched, built or executed.')
      .option('--from <file>', 'take the record from a JSON file')
      .option('--id <name>', 'what it is called from now on, such as workos-case')
      .option('--url <url>', 'where it is')
      .option('--commit <id>', 'the commit that is pinned, in full')
      .option('--tag <name>', 'the tag that is pinned')
      .option('--other-id <id=note...>', 'other commits of it that were seen, and what for')
      .option('--license <text>', 'a note on its license')
      .option('--retrieved <day>', 'when it was retrieved, such as 2026-05-31; today, unless said')
      .option('--retrieval-command <line>', 'how; git clone, unless said')
      .option('--sha256 <digest>', 'of what was retrieved')
      .option('--source-lock <text>', 'what else pins its bytes; the commit, unless said')
      .option('--mode <text>', 'how it may be executed')
      .option('--boundary <text>', 'what keeps the source itself from being changed')
      .option('--build <line>', 'how it is built: recorded, never executed')
      .option('--build-output <path>', 'what the build makes')
      .option('--needs <tools...>', 'programs that the build needs; whether each is here is recorded')
      .option('--discovery-only <why>', 'it was only looked at: the record admits nothing'),
  );
}

function executable(command: Command): Command {
  return decided(
    command
      .command('executable')
      .description('Admit a program by its bytes. Asks it for --help, confined and without network.')
      .argument('<path>')
      .option('--source <id>', 'the recorded source that it was built from')
      .option('--source-commit <id>', 'the commit; that of its git work tree or of the source, unless said'),
  );
}

function model(command: Command): Command {
  return decided(
    command
      .command('model')
      .description('Admit a model. Variables are named: what they hold is never written down.')
      .option('--from <file>', 'take the record from a JSON file')
      .option('--provider <name>', 'such as qwen-local')
      .option('--model <name>', 'such as qwen3.6-35b-a3b')
      .option('--runtime-provider <name>', 'what the engine itself calls the provider, if not the same')
      .option('--runtime-model <name>', 'what the engine itself calls the model, if not the same')
      .addOption(new Option('--wire <wire>', 'what it speaks').choices(wire.options))
      .option('--endpoint-variable <NAME>', 'the variable that holds its address, if it has no public one')
      .option('--key-variable <NAME>', 'the variable that holds its key, if it needs one')
      .option('--auth-bridge <name>', 'what carries credentials to it where the engine cannot; needs the next')
      .option('--auth-bridge-evidence <text>', 'where that was shown, such as a run')
      .option('--input-price <usd>', 'for a million tokens', price('--input-price'))
      .option('--output-price <usd>', 'for a million tokens', price('--output-price')),
  );
}

async function draft(flags: Flags, kind: string, make: (flags: Flags) => object | Promise<object>): Promise<object> {
  const { from, approver: _approver, update: _update, yes: _yes, json: _json, ...described } = flags;
  if (typeof from !== 'string') return make(flags);
  if (Object.keys(described).length > 0)
    throw new SeatrialError('usage', '--from takes the whole record from the file: give no flags that describe it too');
  return readDraft(from, kind);
}

/** Who admits it, and when, is decided here and now, whatever a file says. */
async function admit(drafted: object, flags: Flags): Promise<ExitCode> {
  const approver = typeof flags['approver'] === 'string' ? flags['approver'] : callerName();
  const decision = { admitted_at: new Date().toISOString(), approver };
  const record = requireRecord({ schema_version: 1, ...drafted, ...decision });
  const { root, admissions } = readSettings(process.cwd());
  refuseLinks(root, admissions);
  if (flags['yes'] !== true) {
    const agreed = await askYesNo(`${safeText(prettyJson(record))}\nAdmit ${safeLine(subjectOf(record))}?`);
    if (agreed === null) throw new SeatrialError('usage', 'nobody is there to confirm it: look at it, then give --yes');
    if (!agreed) {
      process.stderr.write('not admitted\n');
      return EXIT.fail;
    }
  }
  const kept = await keepAdmission(admissions, record, flags['update'] === true);
  process.stdout.write(
    flags['json'] === true
      ? prettyJson(kept)
      : `${safeLine(`admitted ${subjectOf(kept.record)} in ${relative('', join(admissions, kept.file))}`)}\n`,
  );
  return EXIT.pass;
}

function callerName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // one that the system has no name for
  }
}

function requireRecord(value: object): AdmissionRecord {
  const text = JSON.stringify(value);
  const parsed = parseRecord('the record', text);
  if (!('record' in parsed)) throw new SeatrialError('usage', `this cannot be admitted: the record ${parsed.what}`);
  const { record } = parsed;
  if (policyOf(record.engine) === null)
    throw new SeatrialError('usage', `there is no engine ${record.engine}: see \`seatrial engines\``);
  const named = record.kind === 'model' ? [record.endpoint_variable, record.key_variable] : [];
  const held = named.flatMap((name) => {
    const content = name === null ? undefined : process.env[name];
    return name === null || content === undefined ? [] : [[name, content] as const];
  });
  const masker = new Masker(new SecretPatterns([...callerSecrets(), ...allValues(held)]));
  masker.text(text);
  const secret = masker.masked[0]?.name;
  if (secret !== undefined)
    throw new SeatrialError('usage', `this cannot be admitted: the record would hold what ${secret} holds`);
  return record;
}
