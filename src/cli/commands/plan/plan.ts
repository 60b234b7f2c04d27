import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { reportFieldsOf } from '../../../engines/list.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { plural } from '../../../evidence/report/render/text/words.ts';
import { makeDirs, writeWhole } from '../../../evidence/storage/durable.ts';
import { reportingWrite } from '../../../evidence/storage/write-failed.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import type { PlanFault } from '../../../plans/facts.ts';
import { planExample } from '../../../plans/example.ts';
import { checkPlanDirectory, occupied } from '../../../plans/read.ts';
import { PLAN_RULES } from '../../../plans/rules.ts';
import { readPlanRules } from '../../../plans/rules-file.ts';
import { runsToRead } from '../../environment/settings.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption } from '../../options.ts';
import { print } from '../../print.ts';
import { whoseSeals } from '../../environment/whose-seals.ts';

interface Flags {
  readonly runs?: string | undefined;
  readonly rules?: string | undefined;
  readonly annotations?: true | undefined;
  readonly json?: true | undefined;
}

export function planCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('plan').description(
    'Planning documents: check them against their rules and their evidence.',
  );
  const check = command
    .command('check')
    .description(
      'Check WORKBOARD.yaml and the documents it lists: every fault in one pass, with file, line and hint. Verifies the runs that validated items cite; writes nothing and runs no validator.',
    )
    .argument('[dir]', 'directory with WORKBOARD.yaml', '.')
    .option(
      '--rules <file>',
      'rules of your own in TOML, each in place of the built-in one (schemas/plan-rules.schema.json)',
    )
    .option('--annotations', 'print the faults as annotations for CI services (::error file=…)')
    .addOption(runsToReadOption())
    .addOption(jsonOption('print {ok, faults: [{rule, file, line, message, hint}]}'));
  handledBy(check, ([dir], flags) => checkPlanned(dir, flags));
  const init = command
    .command('init')
    .description('Write a small valid example: WORKBOARD.yaml, a PRD and an issues document.')
    .argument('[dir]', 'directory to write to', '.');
  handledBy(init, ([dir]) => writeExample(dir));
  return parseAndRun(command, args);
}

export async function checkPlanned(named: string, flags: Flags): Promise<ExitCode> {
  const dir = resolve(named);
  const now = new Date();
  const verify = { ...whoseSeals(undefined), now, engineFields: reportFieldsOf };
  const place = { dir, runsDir: runsToRead(flags.runs, dir), verify, today: now.toISOString().slice(0, 10) };
  const faults = await checkPlanDirectory(place, flags.rules === undefined ? PLAN_RULES : readPlanRules(flags.rules));
  const ok = faults.length === 0;
  print(flags.json, { ok, faults }, () => [
    ...faults.flatMap(flags.annotations === true ? annotation : faultLines),
    ok
      ? 'ok: the documents keep to their rules; this says nothing about any backend'
      : `FAIL: ${plural(faults.length, 'fault')}`,
  ]);
  return ok ? EXIT.pass : EXIT.fail;
}

const faultLines = ({ file, line, message, hint }: PlanFault): string[] => [
  safeLine(`${file}:${line}: ${message}`),
  safeLine(`    ${hint}`),
];

/** As workflow commands of GitHub, which Gitea and Forgejo read too. */
function annotation({ file, line, message, hint }: PlanFault): string[] {
  const data = (text: string): string => safeLine(text).replaceAll('%', '%25');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return [`::error file=${property(file)},line=${line}::${data(`${message}; ${hint}`)}`];
}

function writeExample(named: string): ExitCode {
  const files = planExample(new Date().toISOString().slice(0, 10));
  const there = occupied(named, Object.keys(files));
  if (there.length > 0)
    throw new SeatrialError('usage', `${there.join(', ')} already in ${resolve(named)}; nothing was written`);
  for (const [name, text] of Object.entries(files)) {
    const path = join(named, name);
    reportingWrite(path, () => {
      makeDirs(join(path, '..'));
      writeWhole(path, text);
    });
    process.stdout.write(`wrote ${safeLine(path)}\n`);
  }
  return EXIT.pass;
}
