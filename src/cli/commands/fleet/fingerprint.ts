import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { schemaFault } from '../../../evidence/schema/parts.ts';
import { writeWhole } from '../../../evidence/storage/durable.ts';
import { compareFingerprints } from '../../../fleet/fingerprint/compare.ts';
import { type Fingerprint, fingerprintFile } from '../../../fleet/fingerprint/schema.ts';
import { takeFingerprint } from '../../../fleet/fingerprint/take.ts';
import { prettyJson } from '../../../kernel/canonical.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { messageOf, SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

export function fingerprintCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('fingerprint').description('Show that a live project was not touched.');
  handledBy(
    command
      .command('take')
      .description(
        'Record files, inodes, times, sessions, pane processes and watchdogs of a project. Writes nothing but the output.',
      )
      .argument('<project>', 'directory of the project')
      .requiredOption('-o, --output <file>', 'where to write it; - for standard output')
      .option('--file <files...>', 'also these files, such as a unit or a script of the boot chain')
      .option('--except <paths...>', 'without these files and directories')
      .option('--command <commands...>', 'also what these commands print, such as the sessions of another host'),
    async ([project], { output, file = [], except = [], command: commands = [] }) => {
      const asked = { files: file.map((one) => resolve(one)), except: except.map((one) => resolve(one)), commands };
      const taken = await takeFingerprint(project, asked, surroundings);
      if (output === '-') process.stdout.write(prettyJson(taken));
      else {
        writeWhole(resolve(output), prettyJson(taken));
        print(undefined, null, () => [`${output}: ${summaryOf(taken)}`]);
      }
      return EXIT.pass;
    },
  );
  handledBy(
    command
      .command('check')
      .description('Name everything that changed since a fingerprint was taken. Writes nothing.')
      .argument('<file>', 'what `fingerprint take` wrote')
      .addOption(jsonOption()),
    async ([file], { json }) => {
      const before = readFingerprint(file);
      const now = await takeFingerprint(before.project, before.asked, surroundings);
      const differences = compareFingerprints(before, now);
      print(json, { ok: differences.length === 0, project: before.project, differences }, () =>
        differences.length === 0
          ? [`unchanged since ${before.taken_at}: ${summaryOf(now)}`]
          : differences.map(({ kind, name, text }) => `${kind} ${name}: ${text}`),
      );
      return differences.length === 0 ? EXIT.pass : EXIT.fail;
    },
  );
  return parseAndRun(command, args);
}

const surroundings = { env: process.env, clock: systemClock };

function readFingerprint(file: string): Fingerprint {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SeatrialError('usage', `${file} cannot be read as a fingerprint: ${messageOf(error)}`, error);
  }
  const parsed = fingerprintFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SeatrialError('usage', `${file} is not a fingerprint: ${schemaFault(parsed.error)}`);
}

function summaryOf({ fixed: { files, sessions, watchdogs }, growing }: Fingerprint): string {
  const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
  return [
    counted(files.length, 'fixed file'),
    counted(growing.length, 'growing file'),
    counted(sessions.length, 'session'),
    counted(watchdogs.length, 'watchdog'),
  ].join(', ');
}
