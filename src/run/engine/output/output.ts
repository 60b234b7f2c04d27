import type { Sandboxed } from '../../../confine/types.ts';
import { captureStream } from '../../../evidence/log/capture.ts';
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
  const { mask } = run;
  const files = { stdout: run.artifact('backend/stdout.log'), stderr: run.artifact('backend/stderr.log') };
  const show = (lines: readonly string[]): void => {
    const last = lines.at(-1);
    if (last !== undefined) watch.activity(last);
  };
  const read = (lines: readonly string[]): void => {
    // Lines that are events are shown as such.
    show(lines.filter((line) => !line.startsWith('{')));
    recorder.record(lines.flatMap((line) => engine.read(line)));
  };
  const kept = [
    captureStream(sandbox.stdout, { file: files.stdout, maxBytes: MAX_LOG_BYTES, mask, onLines: read }),
    captureStream(sandbox.stderr, { file: files.stderr, maxBytes: MAX_LOG_BYTES, mask, onLines: show }),
  ];
  for (const one of kept) one.catch(stop);
  await Promise.all(kept);
  recorder.end();
}
