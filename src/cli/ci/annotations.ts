import { codesOf, explainCode } from '../../evidence/reasons/explain.ts';
import type { ReasonCatalogue } from '../../evidence/reasons/reason.ts';
import { failingTests } from '../../evidence/report/render/failing-tests.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { Report } from '../../evidence/schema/report.ts';

/** A remark about a change, as a forge shows it beside the code. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** GitHub shows no more of one kind for a step. */
const MAX_PER_LEVEL = 10;

/** What a report says about files and tests, most important first. `isFile`: whether a path of the repository is a file. */
export function annotationsOf(
  report: Report,
  reasons: ReasonCatalogue,
  isFile: (path: string) => boolean,
): readonly Annotation[] {
  const at = (path: string): { readonly file?: string } => (isFile(path) ? { file: path } : {});
  const codes = codesOf(report, reasons);
  const rejected = report.review?.verdict === 'rejected';
  const all: Annotation[] = [
    ...report.blockers.map((text, index) => ({
      level: 'error' as const,
      title: `Seatrial: ${report.status}`,
      message: `${text}\n${explainCode(codes[index] ?? '', reasons).next}`,
    })),
    ...failingTests(report).map(({ what, id }) => ({
      level: 'error' as const,
      title: `Test ${what}`,
      message: id,
      ...fileOfTest(id, isFile),
    })),
    ...(report.deciding?.refused ?? []).map(({ path, why }) => ({
      level: 'error' as const,
      title: 'Changes what decides',
      message: `${path}: ${why}`,
      ...at(path),
    })),
    ...(report.review?.findings ?? []).map(({ file, line, message }) => ({
      level: rejected ? ('error' as const) : ('warning' as const),
      title: 'Review',
      message,
      ...at(file),
      ...(line === null || !isFile(file) ? {} : { line }),
    })),
    ...(report.deciding?.no_vote ?? []).map(({ path, why }) => ({
      level: 'notice' as const,
      title: 'Had no vote',
      message: `${path}: ${why}`,
      ...at(path),
    })),
    ...(report.deciding?.own_tests ?? []).map((path) => ({
      level: 'notice' as const,
      title: 'Had no vote',
      message: `changed tests inside of ${path}`,
      ...at(path),
    })),
  ];
  return (['error', 'warning', 'notice'] as const).flatMap((one) =>
    all.filter((annotation) => annotation.level === one).slice(0, MAX_PER_LEVEL),
  );
}

/** Ids of most runners begin with the path of the file. */
function fileOfTest(id: string, isFile: (path: string) => boolean): { readonly file?: string } {
  const ends = [...id.matchAll(/::| > |:/g)].map(({ index }) => index);
  const file = [id.length, ...ends.toReversed()].map((end) => id.slice(0, end)).find(isFile);
  return file === undefined ? {} : { file };
}

/** The workflow command of GitHub Actions that shows an annotation. Nothing in it can start another command. */
export function workflowCommand({ level, title, message, file, line }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  const lines = message.split('\n').map(safeLine).join('\n');
  return `::${level} ${properties.join(',')}::${escapeData(lines)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
