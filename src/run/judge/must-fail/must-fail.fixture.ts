import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCopies } from '../judge-copies.fixture.ts';
import type { JudgeRequest } from '../types.ts';
import type { MustFailRequest, Outcomes, RunAltered } from './request.ts';
import { runMustFail } from './run.ts';
import type { MustFailVerdict } from './verdict.ts';

export type Texts = Readonly<Record<string, string>>;

/** A repository with its tests, before and after a patch. */
export interface Patched {
  readonly runner: string;
  readonly command: string;
  /** The same in both trees. */
  readonly tests: Texts;
  readonly base: Texts;
  readonly patch: Texts;
  /** The tests are outside the tree, like those of a task. */
  readonly sealed?: boolean;
  readonly terms?: Partial<JudgeRequest>;
}

/** Judges the patch as the judge does, base record first, and then lets its tests show that they can fail. */
export async function tryMustFail(
  patched: Patched,
  more: Partial<MustFailRequest> = {},
): Promise<
  MustFailVerdict & { readonly fixed: readonly string[]; readonly kept: readonly string[]; readonly runs: number }
> {
  let runs = 0;
  const runOn = (tree: Texts): RunAltered => {
    return async ({ files }) => {
      runs += 1;
      return outcomesOf(patched, tree, Object.fromEntries(files));
    };
  };
  const [base, after] = await Promise.all([outcomesOf(patched, patched.base), outcomesOf(patched, patched.patch)]);
  const passed = [...after].filter(([, outcome]) => outcome === 'passed').map(([id]) => id);
  const kept = passed.filter((id) => base.get(id) === 'passed');
  const fixed = passed.filter((id) => base.get(id) !== 'passed');
  const all: Texts = { ...patched.patch, ...patched.tests };
  const verdict = await runMustFail({
    seed: '5eed',
    runner: patched.runner,
    fixed,
    kept,
    files: { paths: Object.keys(all), read: (path) => all[path] ?? null },
    firstRunMs: 20_000,
    run: runOn(patched.patch),
    base: { read: (path) => ({ ...patched.base, ...patched.tests })[path] ?? null, run: runOn(patched.base) },
    ...more,
  });
  return { ...verdict, fixed, kept, runs };
}

async function outcomesOf(patched: Patched, tree: Texts, files: Texts = {}): Promise<Outcomes> {
  const { command, tests, sealed = false, terms = {} } = patched;
  const altered = { ...tests, ...files };
  const result = await judgeCopies(sealed ? { tree, tests: altered } : { tree: { ...tree, ...altered }, tests: null }, {
    testCommand: command,
    isolation: 'in_process',
    ...terms,
  });
  return new Map(result.seen.map(({ id, outcome }) => [id, outcome]));
}

/** The texts of a directory. */
export function readTexts(dir: string): Texts {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(dir.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
