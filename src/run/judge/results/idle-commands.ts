import { posix } from 'node:path';
import type { FileFacts } from '../../../confine/audit/file-trace.ts';
import type { TestStep } from '../command/test-plan.ts';

/** A part of the test command, with what it did with files. */
export interface TracedStep {
  readonly text: string;
  readonly kind: TestStep['kind'];
  readonly failed: boolean;
  readonly files: FileFacts;
}

/**
 * Commands such as linters that succeeded and left nothing behind which a later part looked at, so that runs of single tests can do
 * without them. One that failed may have been about to make something.
 */
export function findIdleCommands(steps: readonly TracedStep[]): readonly string[] {
  return steps.filter((step, at) => step.kind === 'other' && isIdle(step, steps.slice(at + 1))).map(({ text }) => text);
}

function isIdle({ failed, files }: TracedStep, later: readonly TracedStep[]): boolean {
  if (failed || !files.complete) return false;
  return later.every(({ files: used }) => {
    if (!used.complete) return false;
    const looked = new Set([...used.read, ...used.asked, ...used.missing, ...used.written]);
    const listed = new Set(used.listed);
    return files.written.every((path) => !looked.has(path) && !listed.has(posix.dirname(path)));
  });
}
