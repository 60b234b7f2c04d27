import type { RunnerCommand } from '../runners/definition.ts';
import { RUNNERS } from '../runners/list.ts';
import type { BaseFiles } from './base-files.ts';
import type { CommandLine } from './command-line.ts';
import { isHarmlessEnvironment } from './environment.ts';
import type { Expander, Expansion, PlacedText } from './expand/expansion.ts';
import { expandJust } from './expand/just.ts';
import { expandMake } from './expand/make.ts';
import { expandNpmRunAll } from './expand/npm-run-all.ts';
import { expandPackageManager } from './expand/package-manager.ts';
import { expandPythonProject } from './expand/python-project.ts';
import { expandTox } from './expand/tox.ts';
import { findHiddenFailure } from './hidden-failures.ts';
import { withoutLauncher } from './launchers.ts';
import { withoutOutputFilters } from './shell/output-filters.ts';
import { flatten, type ShellPart } from './shell/flatten.ts';
import { joinedScript, scriptCommand } from './script-command.ts';
import type { ShellStep, TestPlan, TestStep } from './test-plan.ts';

const EXPANDERS: readonly Expander[] = [
  expandPackageManager,
  expandNpmRunAll,
  expandMake,
  expandJust,
  expandTox,
  expandPythonProject,
];
const MAX_DEPTH = 8;

/** Reads a test command as far as it can be read soundly; the rest is left to the shell. */
export function readTestPlan(text: string, files: BaseFiles): TestPlan {
  if (text.trim() === '') return { kind: 'missing', what: null };
  try {
    const read = new PlanReader(files).read({ text, dir: '' }, 0);
    const shell = read.filter((step) => step.kind === 'shell');
    if (shell.length === read.length) return { kind: 'script', command: joinedScript(shell) };
    return { kind: 'steps', steps: read.flatMap(asStep) };
  } catch (error) {
    if (error instanceof NoPlan) return error.plan;
    throw error;
  }
}

type ReadStep = { readonly kind: 'tests'; readonly text: string; readonly command: RunnerCommand } | ShellStep;

class NoPlan extends Error {
  readonly plan: TestPlan;

  constructor(plan: TestPlan) {
    super(plan.kind);
    this.plan = plan;
  }
}

class PlanReader {
  readonly #files: BaseFiles;

  constructor(files: BaseFiles) {
    this.#files = files;
  }

  read(placed: PlacedText, depth: number, usesNode = false): readonly ReadStep[] {
    const text = withoutOutputFilters(placed.text);
    const runsTests = (words: readonly string[]): boolean => this.#matches({ env: [], words, globs: [] }, placed.dir);
    const why = findHiddenFailure(text, runsTests);
    if (why !== null) throw new NoPlan({ kind: 'hides_failures', why });
    const parts = depth > MAX_DEPTH ? null : flatten(text, placed);
    // Nothing is left of a lone `cd`.
    if (parts === null || parts.length === 0) return [{ kind: 'shell', ...placed, text, usesNode, doesNothing: false }];
    return parts.flatMap((part) => this.#part(part, depth, usesNode));
  }

  #part(part: ShellPart, depth: number, usesNode: boolean): readonly ReadStep[] {
    const { line, placed, doesNothing } = part;
    const asIs: ReadStep = { kind: 'shell', ...placed, usesNode, doesNothing };
    if (line === null || !isHarmlessEnvironment(line.env)) return [asIs];
    return this.#line(line, placed, depth) ?? [asIs];
  }

  /** Null: it is neither a runner's call nor something that stands for other commands. */
  #line(line: CommandLine, placed: PlacedText, depth: number): readonly ReadStep[] | null {
    for (let current: CommandLine | null = line; current !== null; current = withoutLauncher(current)) {
      if (!isHarmlessEnvironment(current.env)) return null;
      const expansion = this.#expand(current, placed.dir);
      if (expansion !== null) return this.#expanded(expansion, current, placed, depth);
      const command = this.#match(current, placed.dir);
      if (command !== null) return [{ kind: 'tests', text: placed.text, command }];
    }
    return null;
  }

  #expand(line: CommandLine, dir: string): Expansion | null {
    for (const expander of EXPANDERS) {
      const found = expander(line, dir, this.#files);
      if (found !== null) return found;
    }
    return null;
  }

  #expanded(expansion: Expansion, { env }: CommandLine, placed: PlacedText, depth: number): readonly ReadStep[] | null {
    switch (expansion.kind) {
      case 'texts':
        return expansion.texts.flatMap((text) =>
          this.read({ ...text, env: [...env, ...(text.env ?? [])] }, depth + 1, expansion.usesNode),
        );
      case 'line':
        return this.#line(expansion.line, placed, depth + 1);
      case 'missing':
        throw new NoPlan({ kind: 'missing', what: expansion.what });
      case 'hides':
        throw new NoPlan({ kind: 'hides_failures', why: expansion.why });
      default:
        return expansion satisfies never;
    }
  }

  #matches(line: CommandLine, dir: string): boolean {
    for (let current: CommandLine | null = line; current !== null; current = withoutLauncher(current)) {
      if (this.#match(current, dir) !== null) return true;
    }
    return false;
  }

  #match(line: CommandLine, dir: string): RunnerCommand | null {
    const files = filesIn(this.#files, dir);
    for (const definition of RUNNERS) {
      const found = definition.match(line, files);
      if (found === null) continue;
      const env = { ...Object.fromEntries(line.env), ...found.env };
      const globs = line.globs.filter((word) => found.args.includes(word));
      return {
        ...found,
        ...(Object.keys(env).length === 0 ? {} : { env }),
        ...(dir === '' ? {} : { dir }),
        ...(globs.length === 0 ? {} : { globs }),
      };
    }
    return null;
  }
}

function asStep(step: ReadStep): readonly TestStep[] {
  if (step.kind === 'tests') return [step];
  return step.doesNothing ? [] : [{ kind: 'other', text: step.text, command: scriptCommand(step) }];
}

/** The same files, named from a directory. */
function filesIn(files: BaseFiles, dir: string): BaseFiles {
  const at = (path: string): string => (dir === '' ? path : `${dir}/${path}`);
  return {
    command: (path) => files.command(at(path)),
    dirsWith: (name) => files.dirsWith(name),
    source: (path) => files.source(at(path)),
  };
}
