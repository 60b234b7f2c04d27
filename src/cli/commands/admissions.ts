import { Command } from 'commander';
import type { Admission, RecordFault } from '../../admission/parse-record.ts';
import { type Admissions, readAdmissions } from '../../admission/records.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { AdmissionRecord } from '../../evidence/schema/admission.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../options.ts';
import { readSettings } from '../environment/settings.ts';
import { table } from '../print/table.ts';

export function admissionsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('admissions').description(
    'What was admitted, and which records cannot be read. Writes nothing.',
  );
  handledBy(command.command('list').description('every record').option('--json', 'as JSON'), (_args, { json }) =>
    list(json === true),
  );
  handledBy(
    command
      .command('show')
      .description('one record, as it is written')
      .argument('<name>', 'its file, or a part of its name'),
    ([name = '']) => show(name),
  );
  const named = args[0] === 'show' || args[0] === 'list' || args[0] === '--help' || args[0] === '-h';
  return parseAndRun(command, named ? args : ['list', ...args]);
}

function read(): Admissions & { readonly folder: string } {
  const dir = readSettings(process.cwd()).admissions;
  return { folder: dir, ...readAdmissions(dir) };
}

/** A record that cannot be read stands in the way of runs: exit 1 says that there is one. */
function list(json: boolean): ExitCode {
  const { folder: dir, records, faults } = read();
  if (json) process.stdout.write(prettyJson({ folder: dir, records, faults: faults.map(shownFault) }));
  else {
    if (records.length === 0 && faults.length === 0)
      process.stdout.write(`nothing is admitted in ${safeLine(dir)}: see \`seatrial admit --help\`\n`);
    for (const line of table(['KIND', 'ENGINE', 'WHAT', 'PIN', 'ADMITTED', 'BY'], records.map(row)))
      process.stdout.write(`${line}\n`);
    for (const { file, what, hint } of faults) process.stdout.write(`${safeLine(`! ${file} ${what}; ${hint}`)}\n`);
  }
  return faults.length > 0 ? EXIT.fail : EXIT.pass;
}

const shownFault = ({ file, what, hint }: RecordFault) => ({ file, what, hint });

function row({ record }: Admission): string[] {
  return [record.kind, record.engine, ...whatAndPin(record), record.admitted_at.slice(0, 10), record.approver];
}

const SHORT_ID = 12;

function whatAndPin(record: AdmissionRecord): [string, string] {
  switch (record.kind) {
    case 'source':
      return [
        `${record.id}${record.discovery_only ? ' (discovery only)' : ''}`,
        record.commit?.slice(0, SHORT_ID) ?? record.tag ?? '',
      ];
    case 'executable':
      return [record.path, record.sha256.slice(0, SHORT_ID)];
    case 'model':
      return [`${record.provider} / ${record.model}`, `as ${record.runtime.provider}`];
  }
}

function show(name: string): ExitCode {
  const { folder, records, faults } = read();
  const fault = faults.find(({ file }) => file === name || file === `${name}.json`);
  if (fault !== undefined) throw new SeatrialError('usage', `${fault.file} ${fault.what}; ${fault.hint}`);
  const exact = records.filter(({ file }) => file === name || file === `${name}.json`);
  const found = exact.length > 0 ? exact : records.filter(({ file }) => file.includes(name));
  const [one, ...others] = found;
  if (one === undefined)
    throw new SeatrialError('usage', `${folder} holds no record ${JSON.stringify(name)}: see \`seatrial admissions\``);
  if (others.length > 0)
    throw new SeatrialError(
      'usage',
      `${JSON.stringify(name)} could be ${found.map(({ file }) => file).join(' or ')}: say more of it`,
    );
  process.stdout.write(prettyJson(one.record));
  return EXIT.pass;
}
