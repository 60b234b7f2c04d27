import type { Sandboxed } from '../../../confine/types.ts';
import { writeFailed } from '../../../evidence/storage/write-failed.ts';
import { captureStream } from './capture.ts';
import type { Run } from '../../steps/state.ts';
import type { EngineEventRecorder } from './event-recorder.ts';

/** Of each output stream; what comes after is counted, not kept. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Keeps what an engine prints, and reads it. An engine whose words cannot be kept is ended. */
export async function keepOutput(
  run: Run,
  sandbox: Pick<Sandboxed, 'stdout' | 'stderr'>,
  recorder: EngineEventRecorder,
  stop: () => void,
): Promise<void> {
  const { engine, watch } = run.request;
  const masks = { stdout: run.mask.stream(), stderr: run.mask.stream() };
  const keep = async (name: keyof typeof masks, onLines: (lines: readonly string[]) => void): Promise<void> => {
    const file = run.artifact(`backend/${name}.log`);
    try {
      await captureStream(sandbox[name], { file, maxBytes: MAX_LOG_BYTES, mask: masks[name], onLines });
    } catch (error) {
      stop();
      throw writeFailed(file, error);
    }
  };
  const show = (lines: readonly string[]): void => {
    const last = lines.at(-1);
    if (last !== undefined) watch.activity(last);
  };
  await Promise.all([
    keep('stdout', (lines) => {
      // Lines that are events are shown as such.
      show(lines.filter((line) => !line.startsWith('{')));
      recorder.record(lines.flatMap((line) => engine.read(line)));
    }),
    keep('stderr', show),
  ]);
  recorder.end();
}
