import { Command } from '@commander-js/extra-typings';
import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../options.ts';
import { print } from '../print.ts';

export function keyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('key').description('The key that signs bundles on this machine.');
  const show = command
    .command('show')
    .summary('print the public key')
    .description(
      'Print the public key (PEM), for others to verify your bundles with --key. Creates the key if there is none.',
    )
    .addOption(jsonOption('print key id and key as JSON'));
  handledBy(show, (_args, { json }) => showKey(json === true));
  return parseAndRun(command, args);
}

function showKey(json: boolean): ExitCode {
  const { publicKey, keyid } = loadOrCreateKey(process.env);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  print(json, { keyid, public_key: pem }, () => [pem.trimEnd()]);
  if (!json) process.stderr.write(`key id ${keyid}\n`);
  return EXIT.pass;
}
