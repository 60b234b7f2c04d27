import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { readRun, type RunRecord } from '../bundle/runs.ts';
import { EVENTS_FILE, readEvents } from '../log/events.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import { TRACE_FILE } from '../log/trace.ts';
import { readInstruction } from '../report/contract-facts.ts';
import { readTestOutputEnd } from '../report/test-output.ts';
import type { ExportSource } from './source.ts';

/** Reads a bundle for export. Throws if its report or its events cannot be read. */
export function readExportSource(dir: string): { readonly state: RunRecord['state']; readonly source: ExportSource } {
  const { report, fault, state } = readRun(dir);
  if (report === null) throw new SeatrialError('evidence', fault ?? `the report of ${dir} cannot be read`);
  if (state === 'running')
    throw new SeatrialError('usage', `${report.run_id} is still running; export it when it has ended`);
  const textOf = (name: string): string => {
    const path = join(dir, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return {
    state,
    source: {
      report,
      events: readEvents(join(dir, EVENTS_FILE)),
      instruction: readInstruction(Buffer.from(textOf(CONTRACT_FILE))),
      trace: textOf(TRACE_FILE),
      testOutputEnd: readTestOutputEnd(join(dir, 'test.log')),
    },
  };
}
