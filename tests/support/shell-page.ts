import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Place, PROJECT } from './seatrial.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b',
};

/** Does in a place what a page of docs/ says: its files are written, its shell blocks run as one script; a server that it starts is ended. */
export function followPage(
  place: Place,
  page: string,
  also: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const text = readFileSync(join(PROJECT, page), 'utf8');
  for (const [, file = '', content = ''] of text.matchAll(/^```(?:js|json) (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(place.cwd, file), content);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}" "$@"\n`;
  writeFileSync(join(bin, 'seatrial'), program);
  chmodSync(join(bin, 'seatrial'), 0o755);
  const script = ['set -e', "trap 'code=$?; kill %1 2>/dev/null && wait %1; exit $code' EXIT", ...blocks].join('\n');
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const env = { PATH: path, HOME: place.home, NO_COLOR: '1', ...IDENTITY, ...also };
  return spawnSync('bash', ['-c', script], { cwd: place.cwd, env, encoding: 'utf8' });
}
