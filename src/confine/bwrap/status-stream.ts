/** Bubblewrap's status reports, one JSON object per line. Only an `exit-code` means that the command ran. */
export interface BwrapStatus {
  readonly childPid: number | null;
  readonly exitCode: number | null;
}

/** Parses everything read so far, except an incomplete last line. */
export function parseStatus(text: string): BwrapStatus {
  let status: BwrapStatus = { childPid: null, exitCode: null };
  for (const line of text.split('\n').slice(0, -1)) {
    const record = parseRecord(line);
    status = {
      childPid: numberAt(record, 'child-pid') ?? status.childPid,
      exitCode: numberAt(record, 'exit-code') ?? status.exitCode,
    };
  }
  return status;
}

function parseRecord(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function numberAt(record: unknown, key: string): number | null {
  if (typeof record !== 'object' || record === null) return null;
  const value: unknown = Reflect.get(record, key);
  return typeof value === 'number' ? value : null;
}
