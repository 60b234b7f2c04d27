import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { codesOf } from '../../evidence/reasons/explain.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { readImageTask } from '../../task/image/image-task.ts';
import { layoutOf } from '../../task/image/layout.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { openTask, type OpenedTask, whyImage } from '../image/open-task.ts';
import { NO_OBSERVER, type RunEnvironment } from '../request.ts';
import { runTask } from '../run.ts';

/** What a task is worth. Only the first proves anything. */
export const SOUNDNESS = [
  'proven',
  'proves nothing',
  'no oracle',
  'needs image',
  'needs network',
  'broken',
  'not judged',
] as const;
export type Soundness = (typeof SOUNDNESS)[number];

export interface TaskFinding {
  readonly soundness: Soundness;
  readonly why: string;
  /** Of the oracle's run. */
  readonly tests: number;
  readonly isolation: string | null;
}

/** Whether a task tells work from no work: its oracle passes, and doing nothing does not. Never rejects for what the task does. */
export async function findSoundness(
  dir: string,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<TaskFinding> {
  let task: OpenedTask;
  try {
    task = await openTask(dir, environment.tools);
  } catch (error) {
    return unopened(dir, error);
  }
  try {
    return await tryTask(task, environment, signal);
  } finally {
    await task.dispose();
  }
}

function unopened(dir: string, error: unknown): TaskFinding {
  const why = whyImage(error);
  // No image would help a task that nothing can pass.
  if (why !== null)
    return hasOracle(dir)
      ? finding('needs image', why)
      : finding('no oracle', `nothing shows that it can be passed; it also needs an image: ${why}`);
  if (error instanceof SeatrialError) return finding('broken', messageOf(error).replace(/^task [^:]*: /, ''));
  throw error;
}

function hasOracle(dir: string): boolean {
  const layout = layoutOf(dir);
  return layout === null || layout === 'seatrial' || readImageTask(dir, layout).solution !== null;
}

async function tryTask(task: OpenedTask, environment: RunEnvironment, signal: AbortSignal): Promise<TaskFinding> {
  const { terms, inputs, solutionDir, taskDir } = task;
  const visible = solutionDir === null ? null : visibleSolution(inputs.filesDir, solutionDir);
  if (visible !== null) return finding('proves nothing', `the workspace holds the solution: ${visible}`);
  const report = await runTask({
    environment,
    terms: { ...terms, expected_tests: null },
    inputs,
    solutionDir,
    taskDir,
    engine: solutionDir === null ? fakeEngine({ script: ':' }) : fakeEngine(),
    watch: NO_OBSERVER,
    signal,
  });
  if (codesOf(report).includes('task_proves_nothing'))
    return finding('proves nothing', (report.failure_reason ?? '').replace(/^the task proves nothing: /, ''));
  if (solutionDir === null) return finding('no oracle', 'nothing shows that it can be passed');
  const { tests } = report;
  const shown = { tests: tests.seen.length, isolation: tests.isolation };
  if (report.status === 'pass') return { soundness: 'proven', why: '', ...shown };
  const offline = offlineWant(report) ?? hiddenFetch(report, [inputs.testsDir, solutionDir]);
  if (offline !== null) return { soundness: 'needs network', why: offline, ...shown };
  const version = firstOf(OTHER_VERSION_SIGNS, outputOf(report));
  if (version !== null)
    return { soundness: 'needs image', why: `this machine has another version: ${version}`, ...shown };
  if (report.status === 'blocked' && report.tests.exit_code === null)
    return { soundness: 'not judged', why: report.failure_reason ?? '', ...shown };
  const said = firstError(report);
  const why = `its oracle does not pass: ${report.failure_reason ?? report.status}${said === null ? '' : ` (${said})`}`;
  return { soundness: 'broken', why, ...shown };
}

const finding = (soundness: Soundness, why: string): TaskFinding => ({ soundness, why, tests: 0, isolation: null });

const MIN_TELLING_BYTES = 32;

/** A file of the workspace with the same bytes as one of the solution. */
function visibleSolution(filesDir: string, solutionDir: string): string | null {
  const files = (dir: string): { readonly path: Buffer; readonly sha256: string; readonly bytes: number }[] =>
    [...walkTree(dir).entries.values()].flatMap((entry) => (entry.kind === 'file' ? [entry] : []));
  const known = new Set(
    files(solutionDir)
      .filter(({ path, bytes }) => bytes >= MIN_TELLING_BYTES && !pathText(path).startsWith('.programs/'))
      .map(({ sha256 }) => sha256),
  );
  const found = files(filesDir).find(({ sha256 }) => known.has(sha256));
  return found === undefined ? null : pathText(found.path);
}

const OFFLINE_SIGNS = [
  /seatrial: (not available offline: .*)/,
  /((?:Could not|Couldn't) resolve host[^\n]*)/,
  /(Temporary failure (?:in name resolution|resolving)[^\n]*)/,
  /((?:getaddrinfo|EAI_AGAIN|ENOTFOUND)[^\n]*)/,
  /(Network is unreachable[^\n]*)/,
  /((?:dial tcp|lookup) [^\n]*(?:no such host|connection refused|unreachable|misbehaving)[^\n]*)/,
  /(failed to (?:download|fetch|get)[^\n]*)/i,
  /(no matching package named[^\n]*|Unable to update registry[^\n]*|[^\n]*but --offline was specified[^\n]*)/,
  /([^\n]*module lookup disabled by GOPROXY=off)/,
  /(request to [^\n]* failed: cache mode is 'only-if-cached'[^\n]*)/,
];
const MAX_SHOWN = 160;

/** A toolchain of this machine that is older than the task's. */
const OTHER_VERSION_SIGNS = [
  /([^\n]*package \S+ is not in (?:GOROOT|std)[^\n]*)/,
  /([^\n]*(?:requires|cannot be built because it requires) (?:go|rustc|Python) ?[>=]*\s*\d[^\n]*)/,
];

/** What oracle or verifier wanted from the network, by their own words; null: nothing. */
const offlineWant = (report: Report): string | null => firstOf(OFFLINE_SIGNS, outputOf(report));

function firstOf(signs: readonly RegExp[], text: string): string | null {
  for (const sign of signs) {
    const found = sign.exec(text)?.[1];
    if (found !== undefined) return found.trim().slice(0, MAX_SHOWN);
  }
  return null;
}

const FETCH = /^.*\b(?:cargo add|go get|npm (?:i|install|add)|yarn add|gem install)\b.*$/gm;

/** What a script fetches, hiding that it could not, and an error then names as missing. */
function hiddenFetch(report: Report, dirs: readonly (string | null)[]): string | null {
  const missing = /[`'"]([\w@/.-]+)[`'"]/.exec(firstError(report) ?? '')?.[1];
  if (missing === undefined) return null;
  const scripts = dirs.flatMap((dir) =>
    dir === null
      ? []
      : readdirSync(dir)
          .filter((name) => name.endsWith('.sh'))
          .map((name) => readIfThere(join(dir, name))),
  );
  const line = scripts
    .flatMap((text) => [...text.matchAll(FETCH)].map(([found]) => found.trim()))
    .find((found) => found.split(/\s+/).includes(missing));
  return line === undefined ? null : line.slice(0, MAX_SHOWN);
}

/** The first line in which oracle or verifier name an error. */
function firstError(report: Report): string | null {
  const line = outputOf(report)
    .split('\n')
    .find((one) =>
      /^\s*(?:E {3}|[\w.[\]]*error\b|fatal\b)|: (?:fatal )?error:|command not found|No such file|^\s*--- FAIL/i.test(
        one,
      ),
    );
  return line === undefined ? null : stripVTControlCharacters(line).trim().replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN);
}

const outputOf = ({ run_dir: dir }: Report): string =>
  ['backend/stdout.log', 'backend/stderr.log', 'test.log'].map((name) => readIfThere(join(dir, name))).join('\n');

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
