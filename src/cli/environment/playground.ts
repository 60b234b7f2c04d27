import { join } from 'node:path';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { makeDirs, reportingWrite } from '../../evidence/storage/durable.ts';
import { compactStamp } from '../../kernel/clock.ts';
import type { RunRequest } from '../../run/request.ts';
import { findTask, readTask } from '../../task/task-directory.ts';
import { interruptible } from '../interrupt.ts';
import { showProgress } from '../print/progress.ts';
import { readSettings, runsToWrite } from './settings.ts';
import { createRunEnvironment } from './run-environment.ts';

/** What every matrix and every check is played on. */
const TASK = 'r1-string-slugify';

export interface Playground {
  /** The runs folder of whoever asked. */
  readonly home: string;
  /** A folder of its own in it: the bundles of one matrix or check, and what came of it. */
  readonly runsDir: string;
  readonly order: RunRequest;
}

/** Nobody is asked, whatever the settings say: unattended without policy is what is played. */
export function openPlayground(name: string, named: string | undefined): Playground {
  const task = readTask(findTask(TASK, process.cwd()));
  const settings = readSettings(process.cwd());
  const home = runsToWrite(named, settings);
  const runsDir = join(home, `${compactStamp(new Date())}-${name}-${process.pid}`);
  reportingWrite(runsDir, () => makeDirs(runsDir));
  const site = createRunEnvironment({ ...settings, approvals: {} }, { confine: 'bubblewrap', runsDir });
  return {
    home,
    runsDir,
    order: {
      site: { ...site, ask: () => Promise.resolve(null), covered: [...site.covered, home] },
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
