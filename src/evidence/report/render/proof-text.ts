import type { Report } from '../../schema/report.ts';

const MAX_NAMES = 3;

/** A patch to nothing but files without a vote: whatever passes, passed before. */
export function onlyTestsChanged({ changed_files: changed, deciding }: Report): boolean {
  const silent = new Set((deciding?.no_vote ?? []).map(({ path }) => path));
  return changed.length > 0 && changed.every((path) => silent.has(path));
}

/** What a change to a repository has proven, in one sentence. */
export function proofText(report: Report): string {
  const fixed = report.fixed ?? [];
  const kept = report.baseline?.comparison.tests?.still_passing.length ?? 0;
  if (report.status !== 'pass') return 'nothing proven';
  if (report.tests.isolation === 'exit_code')
    return 'only an exit code was checked; no test shows that the ask was done';
  if (onlyTestsChanged(report)) return 'only tests changed; nothing proven';
  if (report.proof !== 'fixed') return `nothing broke (${kept} kept); no test shows that the ask was done`;
  const names = fixed.slice(0, MAX_NAMES).join(', ');
  const more = fixed.length > MAX_NAMES ? ` and ${fixed.length - MAX_NAMES} more` : '';
  return `${fixed.length} fixed (${names}${more}), ${kept} kept`;
}
