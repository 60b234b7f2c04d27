import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/evidence/schema/report.ts';
import { PROJECT } from './seatrial.ts';

/** What the suite saw of one agent that showed one behaviour. */
interface SeenVerdict {
  readonly exit: number | null;
  readonly status: Report['status'];
  /** With `<engine>` for its name. */
  readonly reason: string;
}

/** By behaviour and engine. */
type SeenVerdicts = Readonly<Record<string, Readonly<Record<string, SeenVerdict>>>>;

export function readVerdicts(): SeenVerdicts {
  return JSON.parse(readFileSync(join(PROJECT, 'docs/agent-verdicts.json'), 'utf8'));
}

export function verdictOf(report: Report, engine: string): SeenVerdict {
  const { backend_exit_code: exit, status, blockers } = report;
  return { exit, status, reason: (blockers[0] ?? '').replaceAll(engine, '<engine>') };
}
