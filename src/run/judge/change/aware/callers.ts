import type { FileDecision } from '../../deciding/decision.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';

/** What a test expects can be learnt from its variables and from its source. */
const READS_CALLER =
  /\bf_locals\b|\bco_(?:consts|code)\b|\blinecache\b|\bget(?:source|sourcelines|frameinfo|outerframes|innerframes)\b|\binspect\s*\.\s*stack\b|\b_current_frames\b|\b(?:extract|walk|format|print)_stack\b|\bprepareStackTrace\b|\bgetCallSites?\b|\bcallee\b|\bFuncForPC\b.*\bEntry\b|\bBacktrace\b/;

/** Tests in these languages run apart in files of other names, in Go in functions too, and in Rust on other lines. */
const SHOWN_APART = /\.(?:py|go|rs|[cm]?[jt]sx?)$/;

/** Lines that ask only where they were called from, as a logger does: its file, line or module. */
export function placesOfCallers(
  lines: readonly AwareLine[],
  decisions: readonly FileDecision[],
  deciding: Pick<ReadableTree, 'read'>,
): readonly AwareLine[] {
  const changed = decisions.filter((decision) => decision.deciding !== 'base');
  const reads = changed.some(({ path }) => READS_CALLER.test(deciding.read(path) ?? ''));
  return reads ? [] : lines.filter(({ kind, path }) => kind === 'caller' && SHOWN_APART.test(path));
}
