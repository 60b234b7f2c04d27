import type { FileDecision } from '../../deciding/decision.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';

/** Code can learn what a test expects from the test's variables and source. */
const READS_CALLER =
  /\bf_locals\b|\bco_(?:consts|code)\b|\blinecache\b|\bget(?:source|sourcelines|frameinfo|outerframes|innerframes)\b|\binspect\s*\.\s*stack\b|\b_current_frames\b|\b(?:extract|walk|format|print)_stack\b|\bprepareStackTrace\b|\bgetCallSites?\b|\bcallee\b|\bFuncForPC\b.*\bEntry\b|\bBacktrace\b/;

/**
 * Languages whose tests run without their runner in files of other names, in Go also under other function names, and in Rust on other
 * lines.
 */
const SHOWN_APART = /\.(?:py|go|rs|[cm]?[jt]sx?)$/;

/** Lines that only ask for the caller's file, line or module, as a logger does. */
export function placesOfCallers(
  lines: readonly AwareLine[],
  decisions: readonly FileDecision[],
  deciding: Pick<ReadableTree, 'read'>,
): readonly AwareLine[] {
  const changed = decisions.filter((decision) => decision.deciding !== 'base');
  const reads = changed.some(({ path }) => READS_CALLER.test(deciding.read(path) ?? ''));
  return reads ? [] : lines.filter(({ kind, path }) => kind === 'caller' && SHOWN_APART.test(path));
}
