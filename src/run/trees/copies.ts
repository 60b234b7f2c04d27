import { copyWritable } from '../../task/tree/copy.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import type { CachedBase } from './base-cache.ts';
import { deriveTree } from './derive.ts';
import { type Archives } from './inputs.ts';
import { hasControl } from '../request.ts';
import type { Run, RunSandbox } from '../steps/state.ts';
import { completeOverlay, type PreparedWorkspace, makeWorkspace, cloneWorkspace } from './workspace.ts';

/** The trees that a run works in, each unpacked when it is first asked for. */
export interface Copies {
  /** The engine's, with the base commit in it: what was laid there. */
  readonly workspace: () => Promise<PreparedWorkspace>;
  /** To be patched and judged. */
  readonly pristine: () => Promise<string>;
  /** The base, never changed. */
  readonly base: () => Promise<string>;
  readonly tests: () => string | null;
}

/** `opening`: says whether the workspace is an overlay. */
export function copiesOf(run: Run, { base, tests }: Archives, opening: Promise<RunSandbox>): Copies {
  const unpack = (archive: string, name: string): string => {
    unpackTree(archive, run.scratchPath(name));
    return run.scratchPath(name);
  };
  const { cached = null } = run.request.inputs;
  const copyCached = async ({ dir }: CachedBase): Promise<string> => {
    // Nothing is changed in place of the cached files, which are laid under whatever is.
    if ((await opening).confinement.space !== null) return dir;
    copyWritable(dir, run.scratchPath('base'));
    return run.scratchPath('base');
  };
  const untouched = once(async () => (cached === null ? unpack(base.path, 'base') : copyCached(cached)));
  const derive = async (): Promise<string> =>
    deriveTree((await opening).confinement, await untouched(), run.scratchPath('pristine'));
  return {
    workspace: once(() => layWorkspace(run, base.path, opening)),
    // A task is judged in this very tree, which its tests may write to; of a repository's, copies are.
    pristine: once(async () => (run.request.terms.judging === undefined ? unpack(base.path, 'pristine') : derive())),
    base: untouched,
    tests: once(() => (tests === null ? null : unpack(tests.path, 'tests'))),
  };
}

async function layWorkspace(run: Run, archive: string, opening: Promise<RunSandbox>): Promise<PreparedWorkspace> {
  const { request } = run;
  const { cached, history = null } = request.inputs;
  // Whether there is an overlay is known once it is mounted, which is tried for cached files alone.
  const files = cached === undefined ? null : (await opening).workspaceFiles;
  if (cached !== undefined && files !== null && files.overlay !== null)
    return completeOverlay(cached, files.dir, history);
  const dir = run.scratchPath('workspace');
  if (request.controlOf !== undefined) return cloneWorkspace(archive, dir, request.controlOf.laid);
  const spare = request.inputs.disposable === true ? request.inputs.filesDir : null;
  const keptGit = hasControl(request) ? run.scratchPath('kept-git') : null;
  return makeWorkspace({ archive, spare, cached: cached ?? null }, dir, keptGit, history);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
