import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findRun } from '../../evidence/bundle/runs.ts';
import { verifyAll } from '../../evidence/verify/verify-all.ts';
import { verifyBundle } from '../../evidence/verify/verify-bundle.ts';
import type { BundleVerification, VerifyCheck } from '../../evidence/verify/types.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { directoryOption, handledBy, parseAndRun } from '../options.ts';
import { readSettings, runsToRead } from '../environment/settings.ts';
import { whoseSeals } from '../whose-seals.ts';

interface Flags {
  readonly rerun?: true;
  readonly key?: string;
  readonly all?: true;
  readonly runs?: string;
  readonly json?: true;
}

export function verifyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('verify')
    .description(
      'Check evidence offline: manifest, event chain, signature, freshness, report against events, schemas. Writes nothing.',
    )
    .argument('[run]', 'a run id, the beginning of one, or the path of a bundle')
    .option('--all', 'every bundle of the runs folder, and its ledger')
    .option('--rerun', 'also judge the patch again from the inputs in the bundle (runs its tests, confined)')
    .option('--key <file>', 'whose seal counts: a public key in PEM form, instead of the keys pinned on this machine')
    .option('--runs <dir>', 'the runs folder, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print the result as JSON');
  return parseAndRun(
    handledBy(command, ([wanted], options) => verify(wanted, options)),
    args,
  );
}

async function verify(wanted: string | undefined, flags: Flags): Promise<ExitCode> {
  const runsDir = runsToRead(flags.runs, process.cwd());
  const options = { ...whoseSeals(flags.key), now: new Date() };
  if (flags.all === true) {
    if (wanted !== undefined || flags.rerun === true)
      throw new SeatrialError('usage', '--all takes neither a run nor --rerun');
    if (!existsSync(runsDir)) throw new SeatrialError('usage', `there is no runs folder ${runsDir}: nothing to verify`);
    const result = verifyAll(runsDir, options);
    if (flags.json === true) process.stdout.write(prettyJson(result));
    else printAll(result);
    return result.ok ? EXIT.pass : EXIT.fail;
  }
  if (wanted === undefined)
    throw new SeatrialError('usage', 'which run? Give a run id, the path of a bundle, or --all');
  const dir = findRun(runsDir, wanted);
  const found = verifyBundle(dir, options);
  const rerun = flags.rerun === true ? await judgeAgain(dir, found) : null;
  const result = rerun === null ? found : { ...found, checks: [...found.checks, rerun] };
  if (flags.json === true) process.stdout.write(prettyJson(result));
  else printOne(result);
  return sound(result) ? EXIT.pass : EXIT.fail;
}

/** Sound evidence, whatever it says of the run: a fail that verifies is a verified fail. */
function sound(result: BundleVerification): boolean {
  return (
    (result.verdict === 'verified' || result.verdict === 'consistent, signer unknown') &&
    result.checks.every((check) => check.ok)
  );
}

async function judgeAgain(dir: string, found: BundleVerification): Promise<VerifyCheck> {
  const [{ judgeAgainstReport }, { interruptible }, { createJudgeEnvironment }] = await Promise.all([
    import('../../run/rerun-check.ts'),
    import('../interrupt.ts'),
    import('../environment/run-environment.ts'),
  ]);
  if (found.verdict === 'invalid')
    return { name: 'rerun', ok: false, detail: 'not judged again: the bundle is not what was sealed' };
  const environment = createJudgeEnvironment(readSettings(process.cwd()));
  // The setup command comes from the bundle: only a signer who is trusted has it run with the caller's variables.
  const env = found.verdict === 'verified' ? environment.provision.env : {};
  return judgeAgainstReport(dir, {
    ...environment,
    provision: { ...environment.provision, env },
    signal: interruptible(),
  });
}

function printOne(result: BundleVerification): void {
  const width = Math.max(...result.checks.map((check) => check.name.length));
  for (const { name, ok, detail } of result.checks) {
    process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${name.padEnd(width)}  ${safeLine(detail)}\n`);
  }
  process.stdout.write(
    `\n${headline(result)}: ${safeLine(result.run_id ?? result.dir)} is a ${result.status ?? 'run without a readable report'}\n`,
  );
}

function headline(result: BundleVerification): string {
  return sound(result) || result.verdict === 'unsealed' ? result.verdict : 'INVALID';
}

function printAll({ ok, ledger, runs }: ReturnType<typeof verifyAll>): void {
  for (const found of runs.filter((one) => one.verdict !== 'verified')) {
    const bad = found.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
    process.stdout.write(
      `${found.verdict}  ${safeLine(found.run_id ?? found.dir)}${bad.length === 0 ? '' : `  ${safeLine(bad.join('; '))}`}\n`,
    );
  }
  for (const check of ledger)
    process.stdout.write(`${check.ok ? 'ok  ' : 'BAD '} ${check.name}  ${safeLine(check.detail)}\n`);
  const counts = new Map<string, number>();
  for (const { verdict } of runs) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const said = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  process.stdout.write(`\n${ok ? 'sound' : 'NOT SOUND'}: ${runs.length} runs${said === '' ? '' : `: ${said}`}\n`);
}
