import type { ExitCode } from '../kernel/exit-codes.ts';
import type { Printed } from './terminal/output.ts';

/**
 * What must be installed on the machine before a command starts. `system`: bubblewrap and the other packages of a sandboxed run.
 * `systemWith`: the same, but only when the arguments contain one of these words. `agents`: the same and tmux, for commands whose agents and proofs run in
 * processes of their own. The build writes this to dist/ for the launcher.
 */
export type Needs = 'nothing' | 'system' | 'agents' | { readonly systemWith: readonly string[] };

export interface CommandEntry {
  readonly summary: string;
  readonly needs: Needs;
  /** What standard output holds without --json: see `Printed`. */
  readonly prints: Printed;
  readonly load: () => Promise<(args: readonly string[]) => Promise<ExitCode>>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
}
