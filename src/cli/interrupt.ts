import { EXIT } from '../kernel/exit-codes.ts';

/** Ctrl-C ends what runs and keeps the evidence; a second one does not wait for that. */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.blocked);
      controller.abort();
    });
  }
  return controller.signal;
}
