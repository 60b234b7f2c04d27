import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { systemCode } from '../../../kernel/errors.ts';
import { keepApart } from '../apart/keep-apart.ts';
import { excludeFromGit, layProducts, openCaches, placesOf, type Products } from '../../provision/products.ts';
import { judge } from '../judge.ts';
import { stableDoctestIds } from '../inline/rust/doctest-ids.ts';
import type { ByHand, JudgeRequest, JudgeResult } from '../types.ts';
import { type AccessTimes, watchAccessTimes } from './access-times.ts';
import { BenchCopies, type CopySources, settleWatched } from './bench-copies.ts';
import { withoutPackages } from './without-packages.ts';

/** How one run on the bench differs from the others. */
export interface BenchRun {
  /** The tree to test: it is copied, so a run never changes it. */
  readonly tree: string;
  /** Only these tests. */
  readonly only?: readonly string[];
  /** Files to overwrite in the copy: their contents by path. */
  readonly replace?: ReadonlyMap<string, string>;
  /** Files taken out of the copy. */
  readonly remove?: readonly string[];
  /** Instead of the test command. */
  readonly command?: string;
  /** Sees which files the tests use: by strace (its path), or by access times. */
  readonly observe?: { readonly by: 'strace'; readonly tracer: string } | { readonly by: 'access_times' };
  readonly timeoutMs?: number;
  /** Files that nothing should make or write while the tests run. */
  readonly watch?: readonly string[];
  /** The command's exit code is all that is asked for. */
  readonly plain?: true;
  /** Keeps these test files apart from the code, which runs in a sandbox of its own. */
  readonly apart?: readonly string[];
  /** The code runs as if a person had started it; `packages: false` without the packages that were installed for it. */
  readonly byHand?: ByHand & { readonly packages: boolean };
  /** With another time zone and language, and it is found out whether the tests reach for a network. */
  readonly elsewhere?: true;
}

/** What a run on the bench gives beyond what the tests said. */
export interface BenchResult extends JudgeResult {
  /** Watched files that were made, written, replaced or removed while the tests ran. */
  readonly touched: readonly string[];
}

export type BenchRequest = Omit<
  JudgeRequest,
  'workspace' | 'scratch' | 'expectedTests' | 'silentCommand' | 'tracer' | 'only' | 'plain' | 'byHand' | 'elsewhere'
> &
  CopySources & {
    readonly baseTree: string;
    /** What the setup made for these trees. */
    readonly products: Products | null;
    /** Said with every result. */
    readonly note?: string;
  };

/** What tests run with beside the tree. */
export type BenchSetup = Required<Pick<BenchRequest, 'products' | 'readOnly' | 'env' | 'programs'>>;

/** Runs one test command on copies of trees, each time in a fresh sandbox: for the base, the patch and altered tests alike. */
export class TestBench {
  readonly #request: BenchRequest;
  readonly #copies: BenchCopies;
  #runs = 0;
  #notRebuilt: TestBench | null = null;

  constructor(request: BenchRequest) {
    this.#request = request;
    this.#copies = new BenchCopies(request);
    mkdirSync(request.scratch, { recursive: true });
  }

  /** The same command, with other dependencies. */
  with(setup: BenchSetup): TestBench {
    return new TestBench({ ...this.#request, ...setup, scratch: join(this.#request.scratch, 'changed') });
  }

  /**
   * The same without making again what the setup made from sources, where that failed: a setup has network, and the judge has none.
   * The files that it made from the base serve instead. `failed`: commands that fail on the base.
   */
  withoutFailedRebuild(failed: readonly string[]): TestBench {
    const { products, scratch } = this.#request;
    const rebuild = products?.rebuild ?? null;
    if (products === null || rebuild === null || !failed.includes(rebuild)) return this;
    this.#notRebuilt ??= new TestBench({
      ...this.#request,
      products: { ...products, rebuild: null },
      scratch: join(scratch, 'not-rebuilt'),
      note: `not built again from the change, because that fails on the base without network: ${rebuild}`,
    });
    return this.#notRebuilt;
  }

  /** The same, where runs of single tests leave out these commands, which no test depends on. */
  sparing(idleCommands: readonly string[]): TestBench {
    if (idleCommands.length === 0) return this;
    return new TestBench({ ...this.#request, idleCommands, scratch: join(this.#request.scratch, 'sparing') });
  }

  /** Files of the tree are made anew before the tests, which a sandbox for code alone does not do. */
  get rebuilds(): boolean {
    return (this.#request.products?.rebuild ?? null) !== null;
  }

  get confinement(): BenchRequest['confinement'] {
    return this.#request.confinement;
  }

  /** What was seen since then may be half of it. */
  get isInterrupted(): boolean {
    return this.#request.signal?.aborted === true;
  }

  get timeoutMs(): number {
    return this.#request.timeoutMs;
  }

  /** Whether the tests came to use files cannot be seen by access times here is found out by a canary: null facts then. */
  async run(run: BenchRun): Promise<BenchResult> {
    const { tree, only, replace, remove = [], observe, timeoutMs, watch = [], plain, apart, byHand, elsewhere } = run;
    const {
      scratch,
      products,
      note,
      cachedBase: _cached,
      ...given
    } = byHand?.packages === false ? withoutPackages(this.#request) : this.#request;
    const request = { ...given, testCommand: run.command ?? given.testCommand };
    this.#runs += 1;
    const place = join(scratch, `run-${this.#runs}`);
    const own = join(place, 'judge');
    mkdirSync(place);
    const isTimed = observe?.by === 'access_times';
    const copy = await this.#copies.take(tree, isTimed);
    const workspace = copy.dir;
    try {
      await copy.renew();
      for (const [path, text] of replace ?? []) writeOver(workspace, path, text);
      for (const path of remove) rmSync(join(workspace, path), { force: true });
      if (products !== null) {
        layProducts(products, workspace, request.confinement);
        excludeFromGit(placesOf(products), join(workspace, '.git'));
      }
      mkdirSync(own);
      const tests = apart === undefined ? null : keepApart(workspace, apart, join(place, 'tests'));
      if (observe !== undefined) await settleWatched(copy);
      const times: AccessTimes | null = isTimed ? watchAccessTimes(workspace) : null;
      request.confinement.give(workspace);
      const touched = new Set<string>();
      const look = watchFiles(workspace, watch, touched);
      copy.startUse();
      const result = await judge({
        ...request,
        programs: withCaches(request.programs, products, join(place, 'caches'), request.confinement),
        rebuild: products?.rebuild ?? null,
        workspace,
        scratch: own,
        beforeNextPart: look,
        expectedTests: null,
        silentCommand: 'exit_code',
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(only === undefined ? {} : { only: tests === null ? only : only.map(tests.toApart) }),
        ...(tests === null ? {} : { sealedTests: tests.dir, isolation: 'black_box', apartFiles: tests.files }),
        ...(plain === undefined ? {} : { plain }),
        ...(byHand === undefined ? {} : { byHand }),
        ...(elsewhere === undefined ? {} : { elsewhere }),
        ...(observe?.by === 'strace' ? { tracer: observe.tracer } : {}),
      });
      look();
      const judged =
        tests === null ? result : { ...result, seen: namedAsAsked(result.seen, only ?? [], tests.toApart) };
      return {
        ...withoutLineNumbers(withoutWholeCommand(judged, request.testCommand)),
        touched: [...touched],
        ...(note === undefined ? {} : { note: [...(result.note === null ? [] : [result.note]), note].join('; ') }),
        ...(times === null ? {} : { files: times.facts() }),
      };
    } finally {
      await this.#copies.giveBack(tree, copy);
      await removeScratch(place);
    }
  }
}

function withCaches(
  programs: JudgeRequest['programs'],
  products: Products | null,
  dir: string,
  confinement: JudgeRequest['confinement'],
): NonNullable<JudgeRequest['programs']> {
  const caches = products === null ? [] : openCaches(products, dir, confinement);
  return { dirs: programs?.dirs ?? [], mounts: [...(programs?.mounts ?? []), ...caches] };
}

/** A command that reports nothing counts as one test of its name in a task. In a repository it says no more than its exit code. */
function withoutWholeCommand(result: JudgeResult, testCommand: string): JudgeResult {
  const isWhole = result.runner === 'script' && result.seen.length === 1 && result.seen[0]?.id === testCommand;
  return isWhole ? { ...result, seen: [], isolation: 'exit_code' } : result;
}

function namedAsAsked(
  seen: JudgeResult['seen'],
  asked: readonly string[],
  toApart: (id: string) => string,
): JudgeResult['seen'] {
  const names = new Map(asked.map((id) => [toApart(id), id]));
  return seen.map((test) => ({ ...test, id: names.get(test.id) ?? test.id }));
}

/** Doctests are known by their place in a file, which a patch may move. */
function withoutLineNumbers(result: JudgeResult): JudgeResult {
  const stable = stableDoctestIds(result.seen.map(({ id }) => id));
  return { ...result, seen: result.seen.map((test) => ({ ...test, id: stable.get(test.id) ?? test.id })) };
}

/** Gives a look that adds to `touched`. Change times cannot be set back: whoever makes, writes, replaces or removes a file shows. */
function watchFiles(tree: string, paths: readonly string[], touched: Set<string>): () => void {
  const markOf = (path: string): string => {
    try {
      const stat = lstatSync(join(tree, path), { bigint: true });
      return `${stat.ino} ${stat.ctimeNs}`;
    } catch (error) {
      // ENOTDIR: a file stands where a directory would be.
      if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
      return 'absent';
    }
  };
  const before = new Map(paths.map((path) => [path, markOf(path)]));
  return () => {
    for (const path of paths) if (markOf(path) !== before.get(path)) touched.add(path);
  };
}

/** Replaces the file itself: a link of the tree is not followed. A program stays one. */
function writeOver(tree: string, path: string, text: string): void {
  const target = join(tree, path);
  const before = lstatSync(target, { throwIfNoEntry: false });
  mkdirSync(dirname(target), { recursive: true });
  const aside = `${target}.seatrial-new`;
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { flag: 'wx', mode: before?.isFile() === true ? before.mode & 0o777 : 0o666 });
  renameSync(aside, target);
}
