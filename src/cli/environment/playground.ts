import { join } from 'node:path';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { compactStamp } from '../../kernel/clock.ts';
import type { RunRequest } from '../../run/request.ts';
import { findTask, readTask } from '../../task/task-directory.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { showProgress } from '../print/progress.ts';
import { readSettings, runsToWrite } from './settings.ts';
import { createRunEnvironment, type EnvironmentFlags } from './run-environment.ts';

/** The task of every matrix and every check. */
const TASK = 'r1-string-slugify';

export interface Playground {
  /** A new directory for the bundles and the result of one matrix or check. */
  readonly runsDir: string;
  readonly request: RunRequest;
}

/** Approvals are neither granted nor asked for, whatever the settings say: rows expect an unattended run without a policy. */
export function openPlayground(
  name: string,
  named: string | undefined,
  workspace: EnvironmentFlags['workspace'] = 'overlay',
): Playground {
  const task = readTask(findTask(TASK, process.cwd()));
  const settings = readSettings(process.cwd());
  const home = runsToWrite(named, settings);
  const runsDir = join(home, `${compactStamp(new Date())}-${name}-${process.pid}`);
  reportingWrite(runsDir, () => makeDirs(runsDir));
  const environment = createRunEnvironment(
    { ...settings, approvals: {}, approvalPolicy: null },
    { confine: 'bubblewrap', workspace, runsDir },
  );
  return {
    runsDir,
    request: {
      environment: { ...environment, ask: null, covered: [...environment.covered, home] },
      terms: task.terms,
      inputs: task,
      solutionDir: task.solutionDir,
      taskDir: task.dir,
      engine: fakeEngine(),
      watch: showProgress('none', process.stderr),
      signal: interruptible(),
    },
  };
}
