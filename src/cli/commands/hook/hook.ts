import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { readTrustedKeys } from '../../../evidence/bundle/keys.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { branchName } from '../../../run/apply/target.ts';
import { checkPush, type PushRuling } from '../../../run/receive/check-push.ts';
import { parseUpdates } from '../../../run/receive/update.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { installHook } from './install-hook.ts';

const branchesOption = () => new Option('--branch <globs...>', 'branches that need proof').default(['**'], 'all');
const historyOption = () =>
  new Option(
    '--history <commits...>',
    'accept these full commit ids and what came before them without records: for the first push to an empty repository',
  )
    .argParser(commitIds)
    .default([], 'none');

export function hookCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('hook').description(
    'A pre-receive hook for a git server: it accepts a push only if every commit has a landing record that a pinned key signed.',
  );
  const install = command
    .command('install')
    .summary('write the hook into a repository')
    .description('Write the hook into a repository, with copies of the pinned keys.')
    .argument('<repo>', 'the repository that receives pushes')
    .requiredOption('--key <files...>', 'public keys (PEM, from `seatrial key show`) of those who may land')
    .addOption(branchesOption())
    .addOption(historyOption());
  handledBy(install, async ([repo], { key, branch, history }) => {
    const { hook, keysDir } = await installHook(resolve(repo), { keys: key, branches: branch, history });
    process.stdout.write(`wrote ${hook}\npinned ${key.length} ${key.length === 1 ? 'key' : 'keys'} in ${keysDir}\n`);
    return EXIT.pass;
  });
  const check = command
    .command('check')
    .summary('check a push; git calls it')
    .description('Called by git as the hook, with the updates on standard input. Writes nothing to the repository.')
    .requiredOption('--keys <dir>', 'directory with the pinned public keys')
    .addOption(branchesOption())
    .addOption(historyOption());
  handledBy(check, async (_none, { keys, branch, history }) => {
    const rulings = await checkPush(parseUpdates(readFileSync(0, 'utf8')), {
      repo: resolve(process.env['GIT_DIR'] ?? '.'),
      caller: process.env,
      trusted: readTrustedKeys(keys),
      protectedBranches: branch,
      history,
    });
    for (const line of rulings.flatMap(linesOf)) process.stderr.write(`${safeLine(line)}\n`);
    return rulings.every(({ faults }) => faults.length === 0) ? EXIT.pass : EXIT.fail;
  });
  return parseAndRun(command, args);
}

function linesOf({ ref, faults, verified }: PushRuling): readonly string[] {
  const name = branchName(ref);
  if (faults.length === 0)
    return verified === 0 ? [] : [`seatrial: ${name}: ${verified} ${verified === 1 ? 'commit' : 'commits'} verified`];
  return [
    ...faults.map((fault) => `seatrial: ${name} refused: ${fault}`),
    ...(verified === 0 ? [] : ['seatrial: prove and push a change with `seatrial land <run> --onto <branch> --push`']),
  ];
}

function commitIds(text: string, earlier: readonly string[]): readonly string[] {
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text))
    throw new SeatrialError('usage', `--history takes full commit ids, not ${JSON.stringify(text)}`);
  return [...earlier, text];
}
