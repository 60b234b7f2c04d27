import { reason } from '../../evidence/reasons/catalogue.ts';
import type { LeftTree } from '../../evidence/recover/finish.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Run } from '../steps/state.ts';
import { examineLeft } from './rescue.ts';

/** Keeps what an engine did where a later step failed: as `runs recover` does, over the base as the bundle has it. Never rejects. */
export async function keepLeftWork(run: Run): Promise<void> {
  const left = await examineLeft(run.bundle, run.scratch, run.request.environment.secrets).catch(
    (error: unknown): LeftTree => ({ kind: 'not examined', why: messageOf(error) }),
  );
  if (left.kind !== 'examined') {
    run.leaveScratch();
    run.raise(reason('work_left', { why: left.why, dir: run.scratch }));
    return;
  }
  const { changed_files: files } = left.checked;
  try {
    if (files.length > 0) run.log.append('patch.applied', 'harness', { files });
    run.log.append('git.diff.checked', 'harness', left.checked);
  } catch (error) {
    run.takeFault(error);
  }
}
