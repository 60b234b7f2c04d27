import { Command } from '@commander-js/extra-typings';
import { bytesText, durationText } from '../../../evidence/report/render/text/words.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { type CacheEntry, type CacheKind, isDirectoryKind, listCache } from '../../../run/cache/entries.ts';
import { type CacheRules, MAX_CACHE_BYTES, pruneCache } from '../../../run/cache/prune.ts';
import { callerTools } from '../../environment/run-environment.ts';
import { handledBy, jsonOption, parseAndRun, wholeNumber } from '../../options.ts';
import { print } from '../../print.ts';
import { table } from '../../print/table.ts';

const MEGABYTE = 1024 ** 2;

export function cacheCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('cache').description(
    `What is kept between runs to save time. Whatever is removed is made again when needed. Above ${bytesText(MAX_CACHE_BYTES)}, the least recently used entries are removed.`,
  );
  handledBy(
    command.command('list').description('show what the cache holds, and when it was last used').addOption(jsonOption()),
    (_args, flags) => list(flags.json),
  );
  const prune = command
    .command('prune')
    .description('remove entries that no run is using')
    .option(
      '--max-size <megabytes>',
      'remove the least recently used entries until the rest fits',
      wholeNumber('--max-size', 0),
    )
    .option(
      '--older-than <days>',
      'remove entries that were not used for this many days',
      wholeNumber('--older-than', 0),
    )
    .option('--all', 'remove everything')
    .addOption(jsonOption());
  handledBy(prune, (_args, flags) => pruneBy(flags));
  const [first] = args;
  const named = first !== undefined && (!first.startsWith('-') || first === '--help' || first === '-h');
  return parseAndRun(command, named ? args : ['list', ...args]);
}

const KINDS: readonly (readonly [kind: CacheKind, words: string])[] = [
  ['setup', 'what setups made'],
  ['tree', 'files of commits'],
  ['record', 'base records'],
  ['program', 'facts about programs'],
];

function list(json: true | undefined): ExitCode {
  const { cacheDir } = callerTools();
  const entries = cacheDir === null ? [] : listCache(cacheDir);
  print(json, { dir: cacheDir, max_bytes: MAX_CACHE_BYTES, entries: entries.map(described) }, () => [
    ...(entries.length === 0 ? ['the cache is empty'] : summaryTable(entries)),
    ...(cacheDir === null ? [] : ['', `in ${cacheDir}; \`seatrial cache prune --all\` empties it`]),
  ]);
  return EXIT.pass;
}

/** Setups and trees are large and few, so each has a line; of the others, which are small and many, only the sum is shown. */
function summaryTable(entries: readonly CacheEntry[]): readonly string[] {
  const rows = KINDS.flatMap(([kind, words]) => {
    const own = entries.filter((entry) => entry.kind === kind);
    if (own.length === 0) return [];
    const sum = {
      bytes: own.reduce((all, { bytes }) => all + bytes, 0),
      usedMs: Math.max(...own.map(({ usedMs }) => usedMs)),
    };
    const total = [words, String(own.length), bytesText(sum.bytes), ago(sum.usedMs), ''];
    if (!isDirectoryKind(kind)) return [total];
    const each = own
      .toSorted((a, b) => b.usedMs - a.usedMs)
      .map(({ name, bytes, usedMs, inUse }) => [`  ${name}`, '', bytesText(bytes), ago(usedMs), inUse ? 'in use' : '']);
    return [total, ...each];
  });
  return table(['KIND', 'ENTRIES', 'SIZE', 'LAST USED', ''], rows);
}

function ago(usedMs: number): string {
  return `${durationText(Math.max(0, systemClock.now().getTime() - usedMs))} ago`;
}

function described({ kind, path, bytes, usedMs, inUse }: CacheEntry) {
  return { kind, path, bytes, used_at: new Date(usedMs).toISOString(), in_use: inUse };
}

interface PruneFlags {
  readonly maxSize?: number | undefined;
  readonly olderThan?: number | undefined;
  readonly all?: true | undefined;
  readonly json?: true | undefined;
}

async function pruneBy(flags: PruneFlags): Promise<ExitCode> {
  const { cacheDir } = callerTools();
  const gone = cacheDir === null ? [] : await pruneCache(cacheDir, rulesOf(flags), systemClock.now());
  const bytes = gone.reduce((sum, entry) => sum + entry.bytes, 0);
  print(flags.json, { removed: gone.map(described), bytes }, () => [
    gone.length === 0 ? 'nothing to remove' : `removed ${gone.length} entries, ${bytesText(bytes)}`,
  ]);
  return EXIT.pass;
}

function rulesOf({ maxSize, olderThan, all }: PruneFlags): CacheRules {
  if (all === true) return { maxBytes: -1 };
  if (maxSize === undefined && olderThan === undefined)
    throw new SeatrialError('usage', 'give --max-size <megabytes>, --older-than <days> or --all');
  return {
    ...(maxSize === undefined ? {} : { maxBytes: maxSize * MEGABYTE }),
    ...(olderThan === undefined ? {} : { olderThanDays: olderThan }),
  };
}
