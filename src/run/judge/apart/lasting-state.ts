import type { TestFiles } from '../must-fail/locate/site.ts';

/** Writes or makes a file, or keeps values in one. */
const WRITES =
  /\bopen(?:Sync)?\s*\(|\.\s*open\b|\bwrite\w*\s*\(|\b(?:append|copy)File|\bcreateWriteStream\b|\bmkdir|\bmakedirs\b|\btouch\b|\bmknod\b|\bsymlink|\brename|\butime|\bsetxattr\b|\bsqlite3?\b|\bshelve\b|\bdbm\b|\bsocket\b/i;
/** Acts later, in the same process. */
const WAITS =
  /\bset(?:Timeout|Interval|Immediate)\b|\bFinalizationRegistry\b|\bWeakRef\b|["'](?:node:)?timers\b|\bTimer\s*\(/;

/** Whether new lines of these files could leave something for a later call or for the next run: a file, a mark, a timer. */
export function leavesSomething(paths: readonly string[], deciding: TestFiles, base: TestFiles): boolean {
  return paths.some((path) => {
    const before = new Set((base.read(path) ?? '').split('\n'));
    const lines = (deciding.read(path) ?? '').split('\n');
    return lines.some((line) => !before.has(line) && (WRITES.test(line) || WAITS.test(line)));
  });
}
