import { readFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { checkParity } from '../../../fleet/parity/compare.ts';
import type { Finding } from '../../../fleet/parity/finding.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { messageOf, SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

export function parityCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('parity')
    .description(
      'Compare a staged project with the live one: agents, models, phases, every kickoff and the rows of status, byte for byte. Writes nothing.',
    )
    .argument('<live>', 'directory of the live project')
    .argument('<staged>', 'directory of the staged project')
    .option('--status <file>', 'status text captured from a live project of another system')
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, async ([live, staged], { status, json }) => {
      const capturedStatus = status === undefined ? null : readCaptured(status);
      const findings = await checkParity({ live, staged, capturedStatus }, { env: process.env, clock: systemClock });
      const ok = findings.every(({ verdict }) => verdict !== 'different');
      print(json, { ok, findings }, () => [...findings.flatMap(findingLines), headline(findings)]);
      return ok ? EXIT.pass : EXIT.fail;
    }),
    args,
  );
}

const findingLines = ({ what, verdict, lines }: Finding): string[] => [
  `${verdict}: ${what}`,
  ...lines.map((line) => `  ${line}`),
];

function headline(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']): number =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const differing = count('different');
  const open = count('not comparable');
  const rest = open === 0 ? '' : `, ${open} not comparable`;
  return differing === 0 ? `OK, ${count('same')} equal${rest}` : `${differing} differ, ${count('same')} equal${rest}`;
}

function readCaptured(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SeatrialError('usage', `--status ${file} cannot be read: ${messageOf(error)}`, error);
  }
}
