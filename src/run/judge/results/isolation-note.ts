import type { JudgeResult } from '../types.ts';

const IN_PROCESS_NOTE = "code under test shared the judge's process; a hostile patch could forge this";

/** The note of a result, with a warning if nothing shows that the code under test did not touch its results. */
export function noteWithIsolation({ isolation, note }: Pick<JudgeResult, 'isolation' | 'note'>): string | null {
  const warning = isolation === 'in_process' ? IN_PROCESS_NOTE : null;
  return [warning, note].filter((text) => text !== null).join('; ') || null;
}
