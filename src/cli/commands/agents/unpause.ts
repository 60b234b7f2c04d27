import { pauseOrNot } from '../../environment/pausing.ts';
import type { ExitCode } from '../../../kernel/exit-codes.ts';

export function unpauseCommand(args: readonly string[]): Promise<ExitCode> {
  return pauseOrNot(args, {
    name: 'unpause',
    paused: false,
    description: 'Let the watchdog take care of an agent again, or of all of them.',
  });
}
