import { existsSync, realpathSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { type EngineSource, runningEngine } from '../../fleet/pin/add-engine.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { isUrl } from '../../task/git/clone.ts';

/** Which Seatrial a new project is pinned to. */
export const engineOption = () =>
  new Option(
    '--engine <path|url>',
    'clone of Seatrial to pin as a submodule (default: the one that runs now; none: no pin)',
  );

export const pinOption = () =>
  new Option('--pin <commit|tag>', 'commit or tag of Seatrial to pin (default: what the source has checked out)');

/** Null: the project is not pinned, and runs with the Seatrial that is called. */
export async function engineSource(engine: string | undefined, pin: string | undefined): Promise<EngineSource | null> {
  if (engine === 'none') return null;
  if (engine === undefined) {
    const running = await runningEngine(process.env);
    return running === null ? null : { ...running, ref: pin ?? running.ref };
  }
  if (isUrl(engine)) return { url: engine, ref: pin ?? null };
  if (!existsSync(engine)) throw new SeatrialError('usage', `--engine ${engine}: there is no such directory`);
  return { url: realpathSync(engine), ref: pin ?? null };
}
