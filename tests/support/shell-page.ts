import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LastingPlace } from './lasting.ts';
import { type Place, PROJECT } from './seatrial.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b',
};

interface PageOptions {
  /** What stands after the backticks of the blocks that are run. */
  readonly blocks?: string;
  /** The same of blocks that are run before them. */
  readonly before?: string;
  /** The first block with this text, and what comes after it, are left out. */
  readonly upTo?: string;
  /** What stands on the page, and what is run for it. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Directories of the place that come first on the PATH. */
  readonly programs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Does in a place what a page of docs/ says: its files are written, its shell blocks (of one kind) run as one script; a server that it starts is ended. */
export function followPage(
  place: Place,
  page: string,
  { blocks: kind = 'sh', before, upTo, replaced = {}, programs = [], env: also = {} }: PageOptions = {},
): SpawnSyncReturns<string> {
  const text = readFileSync(join(PROJECT, page), 'utf8');
  for (const [, file = '', content = ''] of text.matchAll(/^```(?:js|json) (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(place.cwd, file), content);
  const blocksOf = (wanted: string | undefined): string[] =>
    [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, of = '', block = '']) =>
      of === wanted ? [block] : [],
    );
  const all = blocksOf(kind);
  const end = upTo === undefined ? all.length : all.findIndex((block) => block.includes(upTo));
  if (end === -1) throw new Error(`no block of ${page} has ${upTo}`);
  const blocks = [...blocksOf(before), ...all.slice(0, end)].map((block) =>
    Object.entries(replaced).reduce((changed, [from, to]) => changed.replaceAll(from, to), block),
  );
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}" "$@"\n`;
  writeFileSync(join(bin, 'seatrial'), program);
  chmodSync(join(bin, 'seatrial'), 0o755);
  const script = ['set -e', "trap 'code=$?; kill %1 2>/dev/null && wait %1; exit $code' EXIT", ...blocks].join('\n');
  // Programs may be admitted where they last.
  const isLasting = place instanceof LastingPlace;
  const seen = (path: string): string => (isLasting ? place.seen(path) : path);
  const path = [...[bin, ...programs].map(seen), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
    ':',
  );
  const env = { PATH: path, HOME: seen(place.home), NO_COLOR: '1', ...IDENTITY, ...also };
  const [started, ...args] = [...(isLasting ? place.through : []), 'bash', '-c', script];
  return spawnSync(started, args, { cwd: place.cwd, env, encoding: 'utf8' });
}
