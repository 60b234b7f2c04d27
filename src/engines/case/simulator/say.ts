import type { Fields, CasePhase } from './pipeline/words.ts';

/** Writes one JSON line to standard error. */
export function logLine(level: 'info' | 'error', msg: string, fields: Fields = {}): void {
  process.stderr.write(`${JSON.stringify({ ts: new Date().toISOString(), level, msg, ...fields })}\n`);
}

export function logPhase(phase: CasePhase, status: string, fields: Fields = {}): void {
  logLine('info', `phase:${phase}`, { phase, status, ...fields });
}

/** Writes a line for the user to standard output. */
export type Notify = (text: string) => void;

export function notifier(mode: string): Notify {
  const prefix = mode === 'unattended' ? '[unattended] ' : '';
  return (text) => process.stdout.write(`${prefix}${text}\n`);
}

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
