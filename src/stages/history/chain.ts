import type { StageRecord } from '../../evidence/stage-records/schema.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';

/** A record as it lies on disk. */
export interface KeptRecord {
  readonly file: string;
  readonly sha256: string;
  readonly record: StageRecord;
}

export type OrderedRecords =
  | { readonly ok: true; readonly records: readonly KeptRecord[]; readonly head: string }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Records in the order in which each names the one before. A gap, a fork or a stray record makes the whole history worthless. */
export function orderRecords(kept: readonly KeptRecord[]): OrderedRecords {
  const faults: string[] = [];
  const after = new Map<string, KeptRecord>();
  for (const one of kept) {
    const other = after.get(one.record.previous);
    if (other === undefined) after.set(one.record.previous, one);
    else faults.push(`${one.file} and ${other.file} both follow the same record`);
  }
  const records: KeptRecord[] = [];
  let head = ZERO_DIGEST;
  for (let next = after.get(head); next !== undefined; next = after.get(head)) {
    const before = records.at(-1);
    if (before !== undefined && next.record.at < before.record.at)
      faults.push(`${next.file} is dated before ${before.file}, which it follows`);
    if (records.some(({ record: { id } }) => id === next?.record.id)) faults.push(`${next.file} repeats an id`);
    records.push(next);
    head = next.sha256;
  }
  const reached = new Set(records.map(({ file }) => file));
  for (const { file } of kept)
    if (!reached.has(file)) faults.push(`${file} follows a record that is missing or was changed`);
  return faults.length === 0 ? { ok: true, records, head } : { ok: false, faults };
}
