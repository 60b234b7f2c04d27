import type { Limits } from '../../confine/types.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { blobId, objectId, treeId } from '../../task/git/objects.ts';
import type { RunSandbox } from '../steps/state.ts';
import { chunksOfFile, type Tree } from '../../task/tree/walk.ts';

/** A commit of the agent's repository, with its id recomputed from its bytes. */
export interface SeenCommit {
  readonly id: string;
  readonly tree: string;
}

/** A full id, or an abbreviation of at least git's minimum length; not a ref such as HEAD, which could mean any commit. */
export const isCommitId = (text: string): boolean => /^[0-9a-f]{7,40}$/.test(text);

/**
 * Reads commits of the agent's repository inside the sandbox, because its configuration may start programs. Only bytes
 * come back, and a commit counts only if they hash to the requested id.
 */
export async function readCommits(
  sandbox: RunSandbox,
  limits: Limits,
  asked: readonly string[],
): Promise<Map<string, SeenCommit>> {
  const names = asked.filter((name) => /^\S+$/.test(name)); // sent one per line; a name with white space is no commit
  const batch = sandbox.confinement.start({
    argv: [
      'git',
      '--no-replace-objects',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'safe.directory=*',
      'cat-file',
      '--batch',
    ],
    env: {},
    cwd: sandbox.at(sandbox.workspace.target),
    mounts: [{ ...sandbox.workspace, mode: 'ro' }],
    limits,
    timeoutMs: 30_000,
  });
  batch.stdin.on('error', () => {});
  batch.stdin.end(names.map((name) => `${name}\n`).join(''));
  const chunks: Buffer[] = [];
  batch.stdout.on('data', (chunk: Buffer) => {
    if (chunks.length < 1024) chunks.push(chunk);
  });
  batch.stderr.resume();
  await batch.ended;
  return parseBatch(Buffer.concat(chunks), names);
}

/** `cat-file --batch`: `<id> commit <size>\n<bytes>\n` or `<name> missing\n`, in the order asked. */
export function parseBatch(output: Buffer, names: readonly string[]): Map<string, SeenCommit> {
  const seen = new Map<string, SeenCommit>();
  let at = 0;
  for (const name of names) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd === -1) break;
    const header = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(output.toString('latin1', at, lineEnd));
    at = lineEnd + 1;
    if (header === null) continue;
    const [, id = '', type, size] = header;
    const body = output.subarray(at, at + Number(size));
    at += body.length + 1;
    const tree = /^tree ([0-9a-f]{40})\n/.exec(body.toString('latin1'))?.[1];
    const asked = /^[0-9a-f]{40}$/.test(name) ? name : id;
    if (type === 'commit' && tree !== undefined && id === asked && objectId('commit', body) === id)
      seen.set(name, { id, tree });
  }
  return seen;
}

/** Whether a commit contains exactly the frozen tree. Unchanged files from the setup need not be committed. */
export function commitsWholeTree(
  commit: SeenCommit,
  frozen: Tree,
  start: { base: Tree; beforeEngine: Tree },
  dir: string,
): boolean {
  const { base, beforeEngine } = start;
  const untouched = new Set(beforeEngine.entries.keys());
  for (const change of compareTrees(beforeEngine, frozen)) untouched.delete(change.path.toString('latin1'));
  const own = [...frozen.entries]
    .filter(([key]) => base.entries.has(key) || !untouched.has(key))
    .map(([, entry]) => entry)
    .filter((entry) => entry.kind !== 'dir');
  const idOf = ({ path, bytes }: { path: Buffer; bytes: number }): string =>
    blobId(bytes, chunksOfFile(Buffer.concat([Buffer.from(`${dir}/`), path])));
  return treeId(own, idOf) === commit.tree;
}
