import { pauseOrNot } from '../../environment/pausing.ts';
import type { ExitCode } from '../../../kernel/exit-codes.ts';

export function unpauseCommand(args: readonly string[]): Promise<ExitCode> {
  return pauseOrNot(args, {
    name: 'unpause',
    paused: false,
    description: 'Tell the watchdog to look after an agent again, or all of them.',
  });
}
