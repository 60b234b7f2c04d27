import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTrustedKey } from '../../../evidence/bundle/keys.ts';
import { replaceFile } from '../../../evidence/storage/durable.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { packageRoot } from '../../../kernel/package-root.ts';
import { quoteWord } from '../../../run/judge/command/expand/expansion.ts';
import { openTarget } from '../../../run/apply/target.ts';

const MARK = '# Written by `seatrial hook install`: accepts only commits that were landed by proof.';

export interface HookSettings {
  /** Files with public keys. */
  readonly keys: readonly string[];
  readonly branches: readonly string[];
  readonly history: readonly string[];
}

/** Writes the hook. If the program it calls is gone, the shell fails, and git refuses the push. */
export async function installHook(
  repo: string,
  { keys, branches, history }: HookSettings,
): Promise<{ readonly hook: string; readonly keysDir: string }> {
  const { commonDir, settings } = await openTarget(repo, process.env);
  // Our own calls of git set it to /dev/null, which is listed too.
  const elsewhere = settings.findLast(({ name, value }) => name === 'core.hookspath' && value !== '/dev/null');
  if (elsewhere !== undefined)
    throw new SeatrialError(
      'usage',
      `git looks for the hooks of ${repo} in ${elsewhere.value} (core.hooksPath); unset that for this repository first`,
    );
  const trusted = keys.map((file) => readTrustedKey(resolve(file)));
  const hook = join(commonDir, 'hooks', 'pre-receive');
  const keysDir = join(commonDir, 'seatrial', 'keys');
  const args = [
    process.execPath,
    join(packageRoot(), 'dist/seatrial.js'),
    'hook',
    'check',
    '--keys',
    keysDir,
    '--branch',
    ...branches,
    ...(history.length === 0 ? [] : ['--history', ...history]),
  ];
  if (existsSync(hook) && !readFileSync(hook, 'utf8').includes(MARK))
    throw new SeatrialError(
      'usage',
      `${hook} exists and was not written by Seatrial; have it call this, or move it away: ${args.map(quoteWord).join(' ')}`,
    );
  for (const dir of [join(commonDir, 'hooks'), keysDir]) mkdirSync(dir, { recursive: true });
  for (const { keyid, publicKey } of trusted)
    replaceFile(join(keysDir, `${keyid}.pem`), Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })));
  replaceFile(hook, Buffer.from(`#!/bin/sh\n${MARK}\nexec ${args.map(quoteWord).join(' ')}\n`));
  chmodSync(hook, 0o755);
  return { hook, keysDir };
}
