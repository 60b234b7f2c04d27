import type { Fields, Phase } from './words.ts';

/** Standard error: a line of JSON for everything that happens. */
export function logLine(level: 'info' | 'error', msg: string, fields: Fields = {}): void {
  process.stderr.write(`${JSON.stringify({ ts: new Date().toISOString(), level, msg, ...fields })}\n`);
}

export function logPhase(phase: Phase, status: string, fields: Fields = {}): void {
  logLine('info', `phase:${phase}`, { phase, status, ...fields });
}

/** Standard output: lines for people. */
export type Notify = (text: string) => void;

export function notifier(mode: string): Notify {
  const prefix = mode === 'unattended' ? '[unattended] ' : '';
  return (text) => process.stdout.write(`${prefix}${text}\n`);
}

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
