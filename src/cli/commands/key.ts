import { Command } from 'commander';
import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../options.ts';

export function keyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('key').description('The key that seals bundles on this machine.');
  const show = command
    .command('show')
    .description(
      'Print the public key (PEM); give it to whoever should verify your bundles with --key. Makes the key if there is none.',
    )
    .option('--json', 'print key id and key as JSON');
  handledBy(show, (_args, options) => showKey(options['json'] === true));
  return parseAndRun(command, args);
}

function showKey(json: boolean): ExitCode {
  const { publicKey, keyid } = loadOrCreateKey(process.env);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  process.stdout.write(json ? prettyJson({ keyid, public_key: pem }) : pem);
  if (!json) process.stderr.write(`key id ${keyid}\n`);
  return EXIT.pass;
}
