import { safeLine } from '../../evidence/report/render/terminal.ts';
import { CANNOT_BE_STOPPED, type Row, type RowResult } from '../../run/selftest/row.ts';

const REASON_WIDTH = 100;

/** Prints results in the order of the rows as they come in, with a heading for each kind. */
export function inOrder(rows: readonly Row[], write: (text: string) => void): (result: RowResult) => void {
  const done = new Map<string, RowResult>();
  const keyOf = ({ kind, name }: Pick<Row, 'kind' | 'name'>): string => `${kind}\n${name}`;
  const width = Math.max(...rows.map(({ name }) => name.length));
  const headed = new Set(rows.map(({ kind }) => kind)).size > 1;
  let next = 0;
  return (result) => {
    done.set(keyOf(result), result);
    for (let row = rows[next]; row !== undefined; row = rows[++next]) {
      const ready = done.get(keyOf(row));
      if (ready === undefined) return;
      if (headed && rows[next - 1]?.kind !== row.kind) write(`${next === 0 ? '' : '\n'}${row.kind}\n`);
      write(`${rowLines(ready, width).join('\n')}\n`);
    }
  };
}

/** Counts the rows with the expected result. */
export function summaryLine(rows: readonly RowResult[], wanted: number): string {
  const good = rows.filter(({ ok }) => ok);
  const apart = good.filter(({ kind }) => kind === CANNOT_BE_STOPPED).length;
  const fooling = good.filter(({ weak }) => weak?.fooled === true).length;
  return [
    `${good.length} of ${wanted} rows as expected`,
    ...(fooling === 0 ? [] : [`${fooling} of them fool a weaker judge`]),
    ...(apart === 0 ? [] : [`${apart} cannot be stopped in_process, and the report says so`]),
  ].join(' · ');
}

/** Says which rows were not played, because this machine lacks a program. */
export function leftOutLines(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ needs }) => needs))].map((program) => {
    const count = rows.filter(({ needs }) => needs === program).length;
    return `not played: ${count} rows that need ${program}, which ${program?.includes('@') === true ? 'no registry in reach has' : 'is not installed'}`;
  });
}

function rowLines({ name, ok, expected, seen, weak }: RowResult, width: number): string[] {
  const reason = cut(safeLine(seen.reason ?? seen.note ?? ''));
  const lines = [`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(width)} ${seen.status.padEnd(8)} ${seen.exit}  ${reason}`];
  if (weak?.judge !== undefined && weak.judge !== null)
    lines.push(`       ${weak.fooled ? 'fools' : 'should fool'} ${weak.judge}`);
  if (!ok)
    lines.push(
      `       expected ${expected.status} ${expected.exit} ${cut(expected.reason ?? expected.note ?? '')}${expected.event === null ? '' : ` with ${expected.event}`}`,
    );
  return lines;
}

function cut(text: string): string {
  return text.length > REASON_WIDTH ? `${text.slice(0, REASON_WIDTH)}…` : text;
}
