import { closeSync, openSync } from 'node:fs';

/** Whether a person started this command on a terminal, wherever its output goes. Services, cron and CI jobs have none. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
