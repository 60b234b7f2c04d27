import { existsSync } from 'node:fs';
import { Command, Option } from '@commander-js/extra-typings';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findComparison } from '../../evidence/comparison/store.ts';
import { type ComparisonVerification, verifyComparison } from '../../evidence/comparison/verify.ts';
import { RESULT_SUFFIX } from '../../evidence/verification-result/seal-result.ts';
import { type ResultVerification, verifyResultFile } from '../../evidence/verification-result/verify-result.ts';
import { findRun } from '../../evidence/bundle/runs.ts';
import type { RunsVerification } from '../../evidence/verify/verify-all.ts';
import { verifyBundle } from '../../evidence/verify/verify-bundle.ts';
import type { BundleVerification, VerifyCheck } from '../../evidence/verify/types.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { ALL_REASONS, reportFieldsOf } from '../../engines/list.ts';
import {
  flagName,
  handledBy,
  jsonOption,
  parseAndRun,
  runsToReadOption,
  signerOption,
  workspaceOption,
} from '../options.ts';
import { print } from '../print.ts';
import { readSettings, runsToRead } from '../environment/settings.ts';
import { whoseSeals } from '../environment/whose-seals.ts';

interface Flags {
  readonly commit?: string | undefined;
  readonly repo: string;
  readonly rerun?: true | undefined;
  readonly fresh?: true | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly key?: string | undefined;
  readonly all?: true | undefined;
  readonly listed?: true | undefined;
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

export function verifyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('verify')
    .description(
      'Verify evidence offline: manifest, event chain, signature, freshness, report against events, schemas. Writes nothing.',
    )
    .argument(
      '[run]',
      'run or comparison: its id, the beginning of one, `last` (the last run), or its path; or the path of a statement (.intoto.jsonl)',
    )
    .option('--all', 'verify every bundle of the runs directory, and its ledger')
    .addOption(new Option('--listed', 'the bundles that standard input names, for --all itself').hideHelp())
    .option(
      '--commit <name>',
      'verify that a commit was landed by proof: its landing record, and its bundle if it is on this machine',
    )
    .option('--repo <dir>', 'with --commit: the repository', '.')
    .option('--rerun', 'also judge the patch again from the inputs in the bundle (runs its tests in a sandbox)')
    .option('--fresh', 'with --rerun: draw another seed for the tests that must fail, instead of the recorded one')
    .addOption(workspaceOption('with --rerun'))
    .addOption(signerOption())
    .addOption(runsToReadOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([wanted], options) => verify(wanted, options)),
    args,
  );
}

async function verify(wanted: string | undefined, flags: Flags): Promise<ExitCode> {
  const runsDir = runsToRead(flags.runs, process.cwd());
  const options = { ...whoseSeals(flags.key), now: new Date(), engineFields: reportFieldsOf };
  const stray = (['fresh', 'workspace'] as const).find((name) => flags[name] !== undefined);
  if (stray !== undefined && flags.rerun !== true)
    throw new SeatrialError('usage', `${flagName(stray)} requires --rerun`);
  if (flags.commit !== undefined) {
    if (wanted !== undefined || flags.all === true || flags.rerun === true)
      throw new SeatrialError('usage', '--commit takes neither a run, --all nor --rerun');
    const { verifyLanding } = await import('./land/verify-landing.ts');
    const landing = await verifyLanding(flags.commit, flags.repo, runsDir, options);
    print(flags.json, landing, () => [
      ...landing.checks.map((check) => checkLine(check, 6)),
      '',
      `${landing.ok ? 'verified' : 'NOT VERIFIED'}: commit ${landing.commit}`,
    ]);
    return landing.ok ? EXIT.pass : EXIT.fail;
  }
  if (flags.all === true) {
    if (wanted !== undefined || flags.rerun === true)
      throw new SeatrialError('usage', '--all takes neither a run nor --rerun');
    if (!existsSync(runsDir)) throw new SeatrialError('usage', `there is no runs directory ${runsDir}`);
    const { verifyAllInParts, verifyListed } = await import('../environment/verify-parts.ts');
    if (flags.listed === true) {
      verifyListed(runsDir, options);
      return EXIT.pass;
    }
    const key = flags.key === undefined ? [] : ['--key', flags.key];
    const result = await verifyAllInParts(runsDir, options, ['verify', '--all', '--listed', '--runs', runsDir, ...key]);
    print(flags.json, result, () => linesOfAll(result));
    return result.ok ? EXIT.pass : EXIT.fail;
  }
  if (wanted === undefined)
    throw new SeatrialError('usage', 'no run given; give a run id, the path of a bundle, or --all');
  if (wanted.endsWith(RESULT_SUFFIX)) {
    if (flags.rerun === true) throw new SeatrialError('usage', '--rerun takes a run, not a statement');
    const checked = verifyResultFile(wanted, runsDir, options);
    print(flags.json, checked, () => linesOfStatement(checked));
    return checked.ok ? EXIT.pass : EXIT.fail;
  }
  const comparison = wanted === 'last' ? null : findComparison(runsDir, wanted);
  if (comparison !== null) {
    if (flags.rerun === true) throw new SeatrialError('usage', '--rerun takes a run, not a comparison');
    const checked = verifyComparison(comparison, options, ALL_REASONS);
    print(flags.json, checked, () => linesOfComparison(checked));
    return checked.verdict === 'verified' || checked.verdict === 'consistent, signer unknown' ? EXIT.pass : EXIT.fail;
  }
  const dir = findRun(runsDir, wanted);
  const found = verifyBundle(dir, options);
  const rerun = flags.rerun === true ? await judgeAgain(dir, found, flags) : null;
  const result = rerun === null ? found : { ...found, checks: [...found.checks, rerun] };
  print(flags.json, result, () => linesOfOne(result));
  if (sound(result)) return EXIT.pass;
  return rerun?.not_tried === true && sound(found) ? EXIT.blocked : EXIT.fail;
}

/** The evidence holds, whatever the verdict in it: a fail that verifies is a verified fail. */
function sound(result: BundleVerification): boolean {
  return (
    (result.verdict === 'verified' || result.verdict === 'consistent, signer unknown') &&
    result.checks.every((check) => check.ok)
  );
}

async function judgeAgain(dir: string, found: BundleVerification, flags: Flags): Promise<VerifyCheck> {
  const [{ judgeAgainstReport }, { interruptible }, { createJudgeEnvironment }, { openBaseCache }] = await Promise.all([
    import('../../run/rerun/check.ts'),
    import('../terminal/interrupt.ts'),
    import('../environment/run-environment.ts'),
    import('../environment/base-cache.ts'),
  ]);
  if (found.verdict === 'invalid')
    return { name: 'rerun', ok: false, detail: 'not judged again: the bundle is not what was sealed' };
  const caller = createJudgeEnvironment(readSettings(process.cwd()));
  // The setup command comes from the bundle: only a signer who is trusted has it run with the caller's variables.
  const given = found.verdict === 'verified' ? {} : { env: {}, files: [] };
  const environment = {
    ...caller,
    provision: { ...caller.provision, ...given },
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
    signal: interruptible(),
    cache: openBaseCache(),
  };
  return judgeAgainstReport(dir, environment, flags.fresh === true);
}

function linesOfOne(result: BundleVerification): string[] {
  const width = Math.max(...result.checks.map((check) => check.name.length));
  return [
    ...result.checks.map((check) => checkLine(check, width)),
    '',
    `${headline(result)}: ${safeLine(result.run_id ?? result.dir)} is a ${result.status ?? 'run without a readable report'}`,
  ];
}

function linesOfStatement({ checks, ok, statement, file }: ResultVerification): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  const [subject] = statement?.subject ?? [];
  const digest = Object.values(subject?.digest ?? {}).at(0) ?? '';
  const says =
    statement === null
      ? file
      : `${statement.predicate.properties.join(', ')} for ${subject?.name ?? ''} ${digest.slice(0, 12)}, at ${statement.predicate.timeCreated}`;
  return [...checks.map((check) => checkLine(check, width)), '', `${ok ? 'verified' : 'INVALID'}: ${safeLine(says)}`];
}

function linesOfComparison({ checks, verdict, comparison_id: id }: ComparisonVerification): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  const word = verdict === 'invalid' ? 'INVALID' : verdict;
  return [...checks.map((check) => checkLine(check, width)), '', `${word}: comparison ${safeLine(id)}`];
}

function checkLine({ name, ok, not_tried: notTried, detail }: VerifyCheck, width = 0): string {
  const word = ok ? 'ok  ' : notTried === true ? '?   ' : 'FAIL';
  return `${word} ${name.padEnd(width)}  ${safeLine(detail)}`;
}

function headline(result: BundleVerification): string {
  const tried = { ...result, checks: result.checks.filter(({ not_tried: notTried }) => notTried !== true) };
  return sound(tried) || result.verdict === 'unsealed' ? result.verdict : 'INVALID';
}

function linesOfAll({ ok, ledger, runs }: RunsVerification): string[] {
  const counts = new Map<string, number>();
  for (const { verdict } of runs) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const all = `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`;
  const counted =
    counts.size < 2
      ? `${all} ${[...counts.keys()].join('')}`.trimEnd()
      : `${all}: ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`;
  return [
    ...runs.filter(({ verdict }) => verdict !== 'verified').map(problemLine),
    ...ledger.map((check) => checkLine(check)),
    '',
    `${ok ? 'ok' : 'FAIL'}: ${counted}`,
  ];
}

function problemLine({ verdict, run_id: runId, dir, checks }: BundleVerification): string {
  const failed = checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
  return safeLine(`${verdict}  ${runId ?? dir}${failed.length === 0 ? '' : `  ${failed.join('; ')}`}`);
}
