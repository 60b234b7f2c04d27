import { pauseOrNot } from '../../environment/pausing.ts';
import type { ExitCode } from '../../../kernel/exit-codes.ts';

export function pauseCommand(args: readonly string[]): Promise<ExitCode> {
  return pauseOrNot(args, {
    name: 'pause',
    paused: true,
    description: 'Tell the watchdog to leave an agent alone, or all of them: nothing is healed, nudged or restarted.',
  });
}
