import { type Dirent, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writersOf } from '../../confine/processes/open-files.ts';
import { systemCode } from '../../kernel/errors.ts';
import type { Project } from '../config/project.ts';
import { agentDir, logsDir } from '../protocol/paths.ts';
import { decideRotation, type LogAction, type LogFacts, type RotationPolicy } from './decide.ts';

/** Rotates the logs of a project once. Evidence is no log: journal, clones, bundles and protocol files are never looked at. */
export function cleanLogs(project: Project, policy: RotationPolicy, now: Date): readonly LogAction[] {
  const dirs = [
    project.logDir,
    logsDir(project),
    ...entriesOf(agentDir(project, '')).map(({ name }) => agentDir(project, name)),
  ];
  const actions = dirs.flatMap(logsIn).flatMap((log) => decideRotation(log, policy, now));
  return actions.filter(carryOut);
}

/** False: the file went away meanwhile. */
function carryOut(action: LogAction): boolean {
  try {
    if (action.do === 'remove') rmSync(action.path);
    else renameSync(action.from, action.to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function logsIn(dir: string): LogFacts[] {
  const files = entriesOf(dir).filter((entry) => entry.isFile());
  return files
    .filter(({ name }) => name.endsWith('.log'))
    .flatMap(({ name }) => {
      const path = join(dir, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) return [];
      const generations = files.flatMap((other) => {
        const digits = other.name.startsWith(`${name}.`) ? other.name.slice(name.length + 1) : '';
        return /^[1-9]\d{0,5}$/.test(digits) ? [Number(digits)] : [];
      });
      return [
        {
          path,
          bytes: found.size,
          since: found.birthtimeMs > 0 ? found.birthtime : found.mtime,
          beingWritten: writersOf(path).length > 0,
          generations,
        },
      ];
    });
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
