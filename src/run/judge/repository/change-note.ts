import type { Isolation } from '../../../evidence/schema/parts.ts';
import { isFailing } from '../change/compare.ts';
import type { ChangeVerdict } from '../change/verdict.ts';
import type { JudgeResult } from '../types.ts';

const MAX_RENAMED = 3;

/** How far the result can be trusted: as far as altered copies of the tests showed that they can fail. */
export function isolationOf({ mustFail }: Pick<ChangeVerdict, 'mustFail'>, deciding: JudgeResult | null): Isolation {
  return mustFail?.isolation ?? deciding?.isolation ?? 'in_process';
}

/** What the report says beside the verdict on a change. */
export function noteOnChange(
  { result, aware }: Pick<ChangeVerdict, 'result' | 'aware'>,
  deciding: JudgeResult | null,
): string | null {
  const shown = result?.shown ?? null;
  const own =
    shown === null
      ? null
      : `with the patch's own tests: ${shown.seen.length} reported, ${shown.seen.filter(isFailing).length} failing`;
  const flaky =
    result === null || result.flaky.length === 0 ? null : `flaky, without a vote: ${result.flaky.join(', ')}`;
  const linesOf = (fitted: boolean): string =>
    [
      ...new Set(
        aware.filter(({ kind }) => (kind === 'fitted') === fitted).map(({ path, line }) => `${path} line ${line}`),
      ),
    ].join(', ');
  const [places, fits] = [linesOf(false), linesOf(true)];
  const telling = places === '' ? null : `new code that could tell whether tests run it: ${places}`;
  const fitted = fits === '' ? null : `new code that holds values of the fixed tests: ${fits}`;
  const gone = result?.removed ?? [];
  const removed = gone.length === 0 ? null : `removed from files that were allowed to change: ${gone.join(', ')}`;
  const names = [...(result?.renamed ?? [])].map(([from, to]) => `${from}, now ${to}`);
  const others = names.length > MAX_RENAMED ? ` and ${names.length - MAX_RENAMED} more` : '';
  const renamed =
    names.length === 0
      ? null
      : `tests with other names than before: ${names.slice(0, MAX_RENAMED).join(', ')}${others}`;
  const notes = [deciding?.note ?? null, own, flaky, removed, renamed, telling, fitted].filter((text) => text !== null);
  return notes.length === 0 ? null : notes.join('; ');
}
