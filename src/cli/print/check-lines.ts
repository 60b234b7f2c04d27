import type { CheckResult } from '../../evidence/schema/check-report.ts';

/** Summary of a suite, and the directory of its bundles. */
export function checkLines(name: string, checks: readonly CheckResult[], where: string): string {
  const passed = checks.filter(({ ok }) => ok).length;
  return `\n${name}: ${passed} of ${checks.length} checks passed\n${where}\n`;
}
