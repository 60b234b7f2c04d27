import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { CheckResult } from '../../evidence/schema/check-report.ts';
import type { SuiteResult } from '../suites.ts';

/** Summary of a list of checks, and the directory of its bundles. */
export function checkLines(name: string, checks: readonly CheckResult[], where: string): string {
  const passed = checks.filter(({ ok }) => ok).length;
  return `\n${name}: ${passed} of ${checks.length} checks passed\n${where}\n`;
}

/** The same for a suite, with the program that was checked and what that earns. */
export function suiteLines(name: string, { checks, where, program, earned, targets }: SuiteResult): string {
  const kind = program.is_simulator ? ' (the simulator that ships with Seatrial)' : '';
  const own = targets.length === 0 ? 'none of yours' : `and yours: ${targets.join(', ')}`;
  const lines = [
    `program  ${program.path}${kind}, sha256 ${program.sha256}`,
    `targets  one planted by each check, ${own}`,
    `earned   ${earned}`,
  ];
  return `${checkLines(name, checks, where)}${lines.map((line) => `${safeLine(line)}\n`).join('')}`;
}
