/** What bubblewrap says about itself, one JSON object a line. Only an `exit-code` means that the command ran. */
export interface BwrapStatus {
  readonly childPid: number | null;
  readonly exitCode: number | null;
}

/** Takes all that was read so far; an unfinished last line is not looked at yet. */
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
