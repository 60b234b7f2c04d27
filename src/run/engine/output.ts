import type { Sandboxed } from '../../confine/types.ts';
import { writeFailed } from '../../evidence/storage/write-failed.ts';
import { captureStream } from './capture.ts';
import type { Run } from '../steps/state.ts';
import { maskEngineEvent, type EngineEventRecorder } from './event-recorder.ts';

/** Of each output stream; what comes after is counted, not kept. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Keeps what an engine prints, and reads it. An engine whose words cannot be kept is ended. */
export async function keepOutput(
  run: Run,
  sandbox: Pick<Sandboxed, 'stdout' | 'stderr'>,
  said: EngineEventRecorder,
  stop: () => void,
): Promise<void> {
  const { engine, watch } = run.request;
  const keep = (stream: Sandboxed['stdout'], name: string, onLine: (line: string) => void): Promise<unknown> =>
    captureStream(stream, { file: run.artifact(name), maxBytes: MAX_LOG_BYTES, mask: run.mask, onLine }).catch(
      (error: unknown) => {
        stop();
        throw writeFailed(run.artifact(name), error);
      },
    );
  await Promise.all([
    keep(sandbox.stdout, 'backend/stdout.log', (line) => {
      watch.activity(line);
      for (const event of engine.read(line)) said.record(maskEngineEvent(event, run.mask));
    }),
    keep(sandbox.stderr, 'backend/stderr.log', (line) => watch.activity(line)),
  ]);
}
