import stringWidth from 'string-width';
import { safeLine } from '../../evidence/report/render/terminal.ts';

/** Left-aligned columns as wide as their widest cell on a terminal; no lines when there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const cells = [head, ...rows].map((row) => row.map(safeLine));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell))))
      .join('  ')
      .trimEnd(),
  );
}
