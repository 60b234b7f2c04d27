import type { Report } from '../../schema/report.ts';
import { groupDigits } from './text/words.ts';

const MAX_NAMES = 3;
/** More would push what follows them out of a line of the terminal. */
const NAMES_LENGTH = 200;

/** A patch to nothing but files without a vote: whatever passes, passed before. */
export function onlyTestsChanged({ changed_files: changed, deciding }: Report): boolean {
  const silent = new Set((deciding?.no_vote ?? []).map(({ path }) => path));
  return changed.length > 0 && changed.every((path) => silent.has(path));
}

/** What a change to a repository has proven, in one sentence. New tests of the patch prove nothing, so they are counted apart. */
export function proofText(report: Report, tests: 'names' | 'counts' = 'names'): string {
  const added = report.tests.shown?.added ?? [];
  if (added.length === 0 || report.status !== 'pass') return proven(report, tests);
  const failing = new Set(report.tests.shown?.failing ?? []);
  const broken = added.filter((id) => failing.has(id)).length;
  const count = added.length === 1 ? '1 new test' : `${added.length} new tests`;
  const outcome = broken === 0 ? 'passing' : `${broken} failing`;
  return `${proven(report, tests)}; ${count}, ${outcome}, without a vote`;
}

function proven(report: Report, tests: 'names' | 'counts'): string {
  const named = (ids: readonly string[]): string => (tests === 'names' ? ` (${firstOf(ids)})` : '');
  const failing = report.baseline?.comparison.tests?.still_failing ?? [];
  // A pass leaves them to the reader.
  const rest = failing.length === 0 ? '' : `, ${groupDigits(failing.length)} still failing${named(failing)}`;
  const fixed = report.fixed ?? [];
  const kept = report.baseline?.comparison.tests?.still_passing.length ?? 0;
  if (report.status !== 'pass') return 'nothing proven';
  if (report.tests.isolation === 'exit_code')
    return report.baseline?.status === 'fail'
      ? 'the test command failed before and succeeds now; only an exit code was checked'
      : 'only an exit code was checked; no test shows that the ask was done';
  if (onlyTestsChanged(report)) return 'only tests changed; nothing proven';
  const keptText = `${groupDigits(kept)} kept${rest}`;
  if (report.proof !== 'fixed') return `nothing broke (${keptText}); no test shows that the ask was done`;
  return `${groupDigits(fixed.length)} fixed${named(fixed)}, ${keptText}`;
}

function firstOf(ids: readonly string[]): string {
  const names: string[] = [];
  for (const id of ids.slice(0, MAX_NAMES)) {
    const name = withoutMiddle(id);
    if (names.length > 0 && [...names, name].join(', ').length > NAMES_LENGTH) break;
    names.push(name);
  }
  const more = ids.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${groupDigits(more)} more` : ''}`;
}

/** The file comes first in a name, and what tells a test from its neighbours last. */
function withoutMiddle(id: string): string {
  const half = NAMES_LENGTH / 2;
  return id.length <= NAMES_LENGTH ? id : `${id.slice(0, half)}…${id.slice(-half)}`;
}
