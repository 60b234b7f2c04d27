import type { FileDecision } from '../../deciding/decision.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';

/** Code can learn what a test expects from the test's variables and source. */
const READS_CALLER =
  /\bf_locals\b|\bco_(?:consts|code)\b|\blinecache\b|\bget(?:source|sourcelines|frameinfo|outerframes|innerframes)\b|\binspect\s*\.\s*stack\b|\b_current_frames\b|\b(?:extract|walk|format|print)_stack\b|\bget(?:Function|This)\s*\(|\bcallee\b|\bFuncForPC\b.*\bEntry\b|\bBacktrace\b/;

const SAVES_FORMATTER = /\b(\w+)\s*=\s*Error\s*\.\s*prepareStackTrace\b/g;
const SETS_FORMATTER = /\bError\s*\.\s*prepareStackTrace\s*=\s*(\w+)/g;

/** Replaces what formats stacks, which sees every error, those of assertions too, and does not put it back. */
function keepsFormatter(text: string): boolean {
  const [saved, set] = [SAVES_FORMATTER, SETS_FORMATTER].map((use) => [...text.matchAll(use)].map(([, name]) => name));
  return /\bprepareStackTrace\b/.test(text) && saved?.some((name) => set?.includes(name)) !== true;
}

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
  const reads = changed
    .map(({ path }) => deciding.read(path) ?? '')
    .some((text) => READS_CALLER.test(text) || keepsFormatter(text));
  return reads ? [] : lines.filter(({ kind, path }) => kind === 'caller' && SHOWN_APART.test(path));
}
