import { join } from 'node:path';
import { fakeEngine } from '../engines/fake/engine.ts';
import { makeFolders, reportingWrite } from '../evidence/durable.ts';
import { compactStamp } from '../kernel/clock.ts';
import type { RunOrder } from '../run/order.ts';
import { findTask, readTask } from '../task/read.ts';
import { interruptible } from './interrupt.ts';
import { showProgress } from './progress.ts';
import { readSettings } from './settings.ts';
import { openSite } from './site.ts';

/** What every matrix and every check is played on. */
const TASK = 'r1-string-slugify';

export interface Playground {
  /** The runs folder of whoever asked. */
  readonly home: string;
  /** A folder of its own in it: the bundles of one matrix or check, and what came of it. */
  readonly runsDir: string;
  readonly order: RunOrder;
}

/** Nobody is asked, whatever the settings say: unattended without policy is what is played. */
export function openPlayground(name: string, named: string | undefined): Playground {
  const task = readTask(findTask(TASK, process.cwd()));
  const settings = readSettings(process.cwd());
  const home = named ?? settings.runs;
  const runsDir = join(home, `${compactStamp(new Date())}-${name}-${process.pid}`);
  reportingWrite(runsDir, () => makeFolders(runsDir));
  const site = openSite({ ...settings, approvals: {} }, { confine: 'bubblewrap', runsDir });
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
