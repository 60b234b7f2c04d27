import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import type { Report } from '../schema/report.ts';
import { REASONS } from './catalogue.ts';
import { PARAMETER, type ReasonCatalogue, type ReasonEntry } from './reason.ts';

/** The codes of a report's blockers, in their order. Reports of earlier versions have none: theirs are found by their texts. */
export function codesOf(
  report: Pick<Report, 'blockers' | 'blocker_codes'>,
  known: ReasonCatalogue = REASONS,
): string[] {
  return report.blockers.map((text, index) => report.blocker_codes?.[index] ?? codeOfText(text, known));
}

/** The code of the reason that decided; null for a pass. */
export function decidingCode(report: Pick<Report, 'failure_reason' | 'blockers' | 'blocker_codes'>): string | null {
  if (report.failure_reason === null) return null;
  return codesOf(report)[report.blockers.indexOf(report.failure_reason)] ?? codeOfText(report.failure_reason, REASONS);
}

export function explainCode(code: string, known: ReasonCatalogue): ReasonEntry {
  return known[code] ?? REASONS.refused;
}

/** What a report tells the caller of the command. */
export function exitCodeForReport(report: Report, known: ReasonCatalogue): ExitCode {
  if (codesOf(report).some((code) => explainCode(code, known).status === 'lost')) return EXIT.evidenceLost;
  return EXIT[report.status];
}

/** Templates with the most fixed characters first: the first match is the most specific one. */
function codeOfText(text: string, known: ReasonCatalogue): string {
  const fixed = (entry: ReasonEntry): number => entry.text.replace(PARAMETER, '').length;
  const matching = Object.entries(known)
    // A template without a word of its own fits any text.
    .filter(([, entry]) => /\w/.test(entry.text.replace(PARAMETER, '')) && asPattern(entry.text).test(text))
    .toSorted(([, a], [, b]) => fixed(b) - fixed(a));
  return matching[0]?.[0] ?? 'refused';
}

function asPattern(template: string): RegExp {
  const parts = template.split(PARAMETER).filter((_part, index) => index % 2 === 0);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's');
}
