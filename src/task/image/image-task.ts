import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { SeatrialError } from '../../kernel/errors.ts';
import { makeTerms, taskName } from '../task-directory.ts';
import type { TaskFile, Terms } from '../contract.ts';
import { describeIssue, readText, readToml } from '../toml/parse-toml.ts';
import { benchFileSchema, benchInstruction, type BenchFile } from './bench-file.ts';
import { composeNeeds } from './compose.ts';
import { type DockerInstruction, parseDockerfile } from './dockerfile.ts';
import { harborFileSchema, type HarborFile, notedKeys } from './harbor-file.ts';
import type { TaskLayout } from './layout.ts';
import type { ImageTerms } from './terms.ts';

/** A task directory of the Harbor family, read but not yet laid out. */
export interface ImageTask {
  readonly name: string;
  readonly dir: string;
  readonly layout: Exclude<TaskLayout, 'seatrial'>;
  /** All but what the image decides. */
  readonly terms: Terms;
  /** Null: there is no Dockerfile. */
  readonly dockerfile: readonly DockerInstruction[] | null;
  /** What a builder is given: the Dockerfile, or one that takes a ready image as it is. */
  readonly dockerfileText: string | null;
  readonly buildTimeoutSec: number | null;
  /** Where `COPY` takes its files from. */
  readonly contextDir: string;
  readonly testsDir: string;
  /** Files that belong to the sealed tests and lie outside their directory, by name. */
  readonly testScripts: readonly string[];
  readonly verifier: ImageTerms['verifier'];
  /** The oracle's script, from the task directory; null: there is none. */
  readonly solution: string | null;
  readonly solutionEnv: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string | null;
  /** Why it cannot do without a real image, as far as its own files say so. */
  readonly needs: readonly string[];
  /** What no image alone gives it. */
  readonly needsMore: readonly string[];
  readonly notes: readonly string[];
}

/** Reads a task directory of the family and collects all faults, so that the author can fix them in one pass. */
export function readImageTask(dir: string, layout: ImageTask['layout']): ImageTask {
  const faults: string[] = [];
  const task = layout === 'harbor' ? readHarbor(dir, faults) : readBench(dir, faults);
  if (task.terms.instruction.trim() === '' && faults.length === 0) faults.push('the instruction is empty');
  if (!isFile(join(dir, scriptPath(task)))) faults.push(`${scriptPath(task)} is missing: it decides`);
  if (faults.length > 0) throw new SeatrialError('usage', `task ${dir}: ${faults.join('; ')}`);
  return task;
}

function readHarbor(dir: string, faults: string[]): ImageTask {
  const file: HarborFile = readToml(join(dir, 'task.toml'), harborFileSchema, faults) ?? {};
  const instruction = readText(join(dir, 'instruction.md'), faults) ?? '';
  const environment = file.environment ?? {};
  const contextDir = join(dir, 'environment');
  const solution = ['solution/solve.sh', 'solution.sh'].find((path) => isFile(join(dir, path))) ?? null;
  const common = commonParts(dir, 'harbor', contextDir, faults);
  const ready = common.dockerfile === null ? environment.docker_image : undefined;
  return {
    ...common,
    ...(ready === undefined ? {} : { dockerfileText: `FROM ${ready}\n` }),
    buildTimeoutSec: environment.build_timeout_sec ?? null,
    terms: makeTerms(taskName(dir), file, instruction, solution !== null),
    testScripts: [],
    verifier: { script: 'test.sh', reads: 'reward', env: asText(file.verifier?.env) },
    solution,
    solutionEnv: asText(file.solution?.env),
    env: asText(environment.env),
    workdir: environment.workdir ?? null,
    needs: ready === undefined ? [] : [`it names a ready image: ${ready}`],
    needsMore: [
      ...((environment.gpus ?? 0) > 0 ? [`it asks for ${environment.gpus} GPUs`] : []),
      ...((environment.mcp_servers ?? []).length > 0 ? ['it starts MCP servers'] : []),
      ...(file.steps === undefined ? [] : ['it has several steps']),
      ...composeFaults(contextDir),
    ],
    notes: notedKeys(file).map((key) => `${key} has no effect here`),
  };
}

function readBench(dir: string, faults: string[]): ImageTask {
  const file = readYaml(join(dir, 'task.yaml'), faults) ?? {};
  const solution = isFile(join(dir, 'solution.sh')) ? 'solution.sh' : null;
  const isTyped = solution === null && isFile(join(dir, 'solution.yaml'));
  const [script = 'run-tests.sh'] = ['run-tests.sh', 'tests/run-tests.sh'].filter((path) => isFile(join(dir, path)));
  return {
    ...commonParts(dir, 'terminal-bench', dir, faults),
    terms: {
      ...makeTerms(
        taskName(dir),
        { agent: limit(file.max_agent_timeout_sec), verifier: limit(file.max_test_timeout_sec) },
        benchInstruction(file),
        solution !== null,
      ),
    },
    testScripts: script === 'run-tests.sh' ? [script] : [],
    verifier: { script: 'run-tests.sh', reads: 'exit_code', env: { TEST_DIR: '/tests' } },
    solution,
    solutionEnv: {},
    env: {},
    workdir: null,
    buildTimeoutSec: null,
    needs: [],
    needsMore: composeFaults(dir),
    notes: isTyped ? ['solution.yaml is typed into a terminal by its own harness, so it is no oracle here'] : [],
  };
}

function commonParts(
  dir: string,
  layout: ImageTask['layout'],
  contextDir: string,
  faults: string[],
): Pick<ImageTask, 'name' | 'dir' | 'layout' | 'contextDir' | 'testsDir' | 'dockerfile' | 'dockerfileText'> {
  const path = join(contextDir, 'Dockerfile');
  const text = isFile(path) ? readText(path, faults) : null;
  return {
    name: taskName(dir),
    dir,
    layout,
    contextDir,
    testsDir: join(dir, 'tests'),
    dockerfile: text === null ? null : parseDockerfile(text),
    dockerfileText: text,
  };
}

const scriptPath = ({ testScripts, verifier }: ImageTask): string => testScripts[0] ?? `tests/${verifier.script}`;

function composeFaults(dir: string): string[] {
  const name = ['docker-compose.yaml', 'docker-compose.yml'].find((one) => isFile(join(dir, one)));
  const needs = name === undefined ? null : composeNeeds(readText(join(dir, name), []) ?? '');
  return needs === null ? [] : [needs];
}

function readYaml(path: string, faults: string[]): BenchFile | null {
  const text = readText(path, faults);
  if (text === null) return null;
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    faults.push(`task.yaml: ${(error.message.split('\n')[0] ?? '').replace(/:$/, '')}`);
    return null;
  }
  const parsed = benchFileSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  faults.push(...parsed.error.issues.map((issue) => `task.yaml: ${describeIssue(issue)}`));
  return null;
}

const limit = (seconds: number | undefined): TaskFile['agent'] =>
  seconds === undefined ? undefined : { timeout_sec: seconds };

function asText(values: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
