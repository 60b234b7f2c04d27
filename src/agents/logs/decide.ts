/** A log as it is now. */
export interface LogFacts {
  readonly path: string;
  readonly bytes: number;
  /** When its first line was written. */
  readonly since: Date;
  /** A process has it open for writing. */
  readonly beingWritten: boolean;
  /** Numbers of the older generations beside it, `<path>.<n>`. */
  readonly generations: readonly number[];
}

export interface RotationPolicy {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** How many older generations stay. */
  readonly keep: number;
}

export type LogAction =
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'rename'; readonly from: string; readonly to: string };

/**
 * Pure: what to do, in this order. A log is rotated by a rename, so that whoever follows it by name goes on with the new one. One that a process
 * holds open for writing is left alone: its writer would go on writing into an old generation, and a copy that is then truncated loses lines.
 */
export function decideRotation(log: LogFacts, { maxBytes, maxAgeMs, keep }: RotationPolicy, now: Date): LogAction[] {
  const due = log.bytes >= maxBytes || now.getTime() - log.since.getTime() >= maxAgeMs;
  const rotates = due && log.bytes > 0 && !log.beingWritten;
  const at = (generation: number): string => `${log.path}.${generation}`;
  const highest = rotates ? keep - 1 : keep;
  const gone = log.generations.filter((generation) => generation > highest);
  const staying = log.generations.filter((generation) => generation <= highest);
  return [
    ...gone.map((generation) => ({ do: 'remove', path: at(generation) }) as const),
    ...(rotates
      ? [
          ...staying
            .toSorted((one, other) => other - one)
            .map((generation) => ({ do: 'rename', from: at(generation), to: at(generation + 1) }) as const),
          { do: 'rename', from: log.path, to: at(1) } as const,
        ]
      : []),
  ];
}
