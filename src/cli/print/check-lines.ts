import type { CheckResult } from '../../evidence/schema/check-report.ts';

/** How a suite went, and where its evidence lies. */
export function checkLines(name: string, checks: readonly CheckResult[], where: string): string {
  const good = checks.filter(({ ok }) => ok).length;
  return `\n${name}: ${good} of ${checks.length} hold\n${where}\n`;
}
