import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { resolveWithin } from '../../sandbox/resolve-within.ts';
import type { ChannelReading } from '../../sandbox/channel.ts';
import type { TestExecution } from '../../sandbox/execute.ts';
import type { JudgeRequest } from '../../types.ts';
import { below } from '../../command/expand/expansion.ts';
import { type Prepared, type RunnerCommand, unusableRunner } from '../definition.ts';
import { prepareScript } from '../script/prepare.ts';
import { readJunit, withNumbers } from './results.ts';
import { textEntries } from '../../../../task/tree/text-entries.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs a command as it is, and reads the JUnit files that it wrote: one, or all that a pattern stands for. */
export async function prepareJunit(request: JudgeRequest, command: RunnerCommand): Promise<Prepared> {
  const { dir = '', report = '' } = command;
  const pattern = below(dir, report);
  if (pattern === null) return unusableRunner(`the JUnit report lies outside of the workspace: ${report}`);
  // One that was there before says nothing about this run.
  for (const path of reportsIn(request.workspace, pattern)) rmSync(join(request.workspace, path));
  const prepared = await prepareScript(request, command, null);
  if (!prepared.ready) return prepared;
  const note = `test results were read from ${report} after the run; the code under test could have written that file`;
  return { ...prepared, note, readResults: (execution) => readReports(request, pattern, execution) };
}

function readReports({ workspace }: JudgeRequest, pattern: string, { end }: TestExecution): ChannelReading {
  const isFile = (path: string): boolean => {
    const inside = below('', path);
    return inside !== null && lstatSync(join(workspace, inside), { throwIfNoEntry: false })?.isFile() === true;
  };
  const read = reportsIn(workspace, pattern).map((path) => {
    const text = textOf(workspace, path);
    return { path, tests: text === null ? null : readJunit(text, isFile) };
  });
  const tests = withNumbers(read.flatMap((report) => report.tests ?? []));
  const broken = read.find((report) => report.tests === null)?.path;
  return {
    tests,
    collected: [...new Set(tests.flatMap(({ file }) => (file === null ? [] : [file])))].sort(),
    done: end.kind === 'exited' ? end.exitCode : null,
    missing: null,
    runnerErrors: [],
    tampered: broken === undefined ? null : `${broken} is not a JUnit report`,
    exitCodeOnly: false,
  };
}

/** The files that a path or pattern names, from the workspace. */
function reportsIn(workspace: string, pattern: string): readonly string[] {
  if (!picomatch.scan(pattern).isGlob) {
    return lstatSync(join(workspace, pattern), { throwIfNoEntry: false })?.isFile() === true ? [pattern] : [];
  }
  const isMatch = picomatch(pattern);
  const { base } = picomatch.scan(pattern);
  const found: string[] = [];
  const visit = (dir: string): void => {
    for (const entry of textEntries(join(workspace, dir))) {
      const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && isMatch(path)) found.push(path);
    }
  };
  if (lstatSync(join(workspace, base), { throwIfNoEntry: false })?.isDirectory() === true) visit(base);
  return found.sort();
}

/** Nothing runs any more that could lead the path elsewhere between looking and reading. */
function textOf(workspace: string, path: string): string | null {
  try {
    const within = resolveWithin(workspace, path);
    if (within === null) return null;
    const real = join(workspace, within);
    const stat = lstatSync(real);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    return readFileSync(real, 'utf8');
  } catch {
    return null;
  }
}
