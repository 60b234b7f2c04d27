import { Command } from '@commander-js/extra-typings';
import type { Admission, RecordFault } from '../../../admission/records/parse.ts';
import { type Admissions, readAdmissions } from '../../../admission/records/read.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import type { AdmissionRecord } from '../../../evidence/schema/admission.ts';
import { prettyJson } from '../../../kernel/canonical.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { readSettings } from '../../environment/settings.ts';
import { print } from '../../print.ts';
import { table } from '../../print/table.ts';

export function admissionsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('admissions').description(
    'List the approved records, and those that cannot be read. Writes nothing.',
  );
  handledBy(command.command('list').description('list every record').addOption(jsonOption()), (_args, { json }) =>
    list(json === true),
  );
  handledBy(
    command.command('show').description('print one record').argument('<name>', 'its file name, or a part of it'),
    ([name]) => show(name),
  );
  const named = args[0] === 'show' || args[0] === 'list' || args[0] === '--help' || args[0] === '-h';
  return parseAndRun(command, named ? args : ['list', ...args]);
}

function read(): Admissions & { readonly dir: string } {
  const dir = readSettings(process.cwd()).admissions;
  return { dir, ...readAdmissions(dir) };
}

/** Exit 1 when a record cannot be read, because such a record blocks runs. */
function list(json: boolean): ExitCode {
  const { dir, records, faults } = read();
  print(json, { dir, records, faults: faults.map(shownFault) }, () =>
    records.length === 0 && faults.length === 0
      ? [`no records in ${safeLine(dir)}; add one with \`seatrial admit\``]
      : [
          ...table(['KIND', 'ENGINE', 'WHAT', 'PIN', 'ADMITTED', 'BY'], records.map(row)),
          ...faults.map(({ file, what, hint }) => safeLine(`! ${file} ${what}; ${hint}`)),
        ],
  );
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
    case 'task':
      return [record.task, record.sha256.slice(0, SHORT_ID)];
  }
}

function show(name: string): ExitCode {
  const { dir, records, faults } = read();
  const fault = faults.find(({ file }) => file === name || file === `${name}.json`);
  if (fault !== undefined) throw new SeatrialError('usage', `${fault.file} ${fault.what}; ${fault.hint}`);
  const exact = records.filter(({ file }) => file === name || file === `${name}.json`);
  const found = exact.length > 0 ? exact : records.filter(({ file }) => file.includes(name));
  const [one, ...others] = found;
  if (one === undefined)
    throw new SeatrialError('usage', `no record ${JSON.stringify(name)} in ${dir}; \`seatrial admissions\` lists them`);
  if (others.length > 0)
    throw new SeatrialError(
      'usage',
      `${JSON.stringify(name)} matches ${found.map(({ file }) => file).join(' and ')}; give a longer name`,
    );
  process.stdout.write(prettyJson(one.record));
  return EXIT.pass;
}
