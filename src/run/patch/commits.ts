import type { Limits } from '../../confine/types.ts';
import { compareTrees } from './changes.ts';
import { blobId, objectId, treeId } from '../../task/git/objects.ts';
import type { RunSandbox } from '../steps/state.ts';
import { chunksOfFile, type Tree } from '../../task/tree/walk.ts';

/** A commit as the agent's repository shows it, its id worked out again by us from its bytes. */
export interface SeenCommit {
  readonly id: string;
  readonly tree: string;
}

/** Not a name such as HEAD, which is true of any commit: git's own shortest form of an id, or more of it. */
export const isCommitId = (text: string): boolean => /^[0-9a-f]{7,40}$/.test(text);

/**
 * Asks the agent's repository for commits, inside the confinement: whatever its configuration runs, it runs there. Only bytes
 * come back, and a commit counts only if those bytes hash to the name they were asked by.
 */
export async function readCommits(
  ground: RunSandbox,
  limits: Limits,
  asked: readonly string[],
): Promise<Map<string, SeenCommit>> {
  const names = asked.filter((name) => /^\S+$/.test(name)); // one a line: anything else names no commit
  const sandbox = ground.confinement.start({
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
    cwd: ground.at(ground.workspace.target),
    mounts: [{ ...ground.workspace, mode: 'ro' }],
    limits,
    timeoutMs: 30_000,
  });
  sandbox.stdin.on('error', () => {});
  sandbox.stdin.end(names.map((name) => `${name}\n`).join(''));
  const chunks: Buffer[] = [];
  sandbox.stdout.on('data', (chunk: Buffer) => {
    if (chunks.length < 1024) chunks.push(chunk);
  });
  sandbox.stderr.resume();
  await sandbox.ended;
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

/** Whether a commit holds exactly the frozen tree. What the setup made and nobody touched since is not the agent's to commit. */
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
