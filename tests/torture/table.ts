import type { Outcome } from './attempt.ts';
import type { Findings } from './examine.ts';

export interface Row {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
}

const COLUMNS = ['strikes', 'blocked', 'sealed', 'lost records', 'orphans', 'false passes', 'other faults'] as const;

const FAULTS = ['lost', 'orphans', 'falsePasses', 'faults'] as const satisfies readonly (keyof Findings)[];

function numbers(outcomes: readonly Outcome[]): number[] {
  const sum = (of: (findings: Findings) => number): number =>
    outcomes.reduce((total, { findings }) => total + of(findings), 0);
  return [
    outcomes.length,
    sum(({ blocked }) => blocked),
    sum(({ sealed }) => sealed),
    ...FAULTS.map((name) => sum((findings) => findings[name].length)),
  ];
}

export function tableOf(rows: readonly Row[]): string {
  const all = [...rows, { name: 'total', outcomes: rows.flatMap(({ outcomes }) => outcomes) }];
  const width = Math.max(...all.map(({ name }) => name.length));
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell, index) => String(cell).padStart(COLUMNS[index]?.length ?? 0))].join('  ');
  const body = all.map(({ name, outcomes }) => line(name, numbers(outcomes)));
  return [line('', COLUMNS), ...body.slice(0, -1), '', ...body.slice(-1)].join('\n');
}

/** Every fault, with where it was found. */
export function faultsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, outcomes }) =>
    outcomes.flatMap(({ findings }) =>
      FAULTS.flatMap((kind) => findings[kind].map((text) => `${name}: ${kind}: ${text.trim()}`)),
    ),
  );
}
