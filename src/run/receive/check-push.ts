import { join, resolve } from 'node:path';
import { makeTemporary } from '../../evidence/bundle/temporary.ts';
import { checkRecordSigner, landingRef } from '../../evidence/bundle/landing-record.ts';
import type { TrustedKey } from '../../evidence/bundle/keys.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { git, gitInPlace, GitFault, makeGitDir } from '../../task/git/call.ts';
import { findRepository, lookUpRef, type RepositoryFiles } from '../../task/repository-files.ts';
import { verifyCommit } from '../land/verify-commit.ts';
import { type Demand, demandOf, type ReceivingRepository } from './decide.ts';
import type { RefUpdate } from './update.ts';

export interface Receiver extends Pick<ReceivingRepository, 'protectedBranches' | 'history'> {
  /** The git directory. */
  readonly repo: string;
  readonly caller: Readonly<Record<string, string | undefined>>;
  readonly trusted: readonly TrustedKey[];
}

export interface PushRuling {
  readonly ref: string;
  /** Why the update is refused; empty: it is accepted. */
  readonly faults: readonly string[];
  /** Commits that were verified. */
  readonly verified: number;
}

const MAX_FAULTS = 5;

/** Decides about each update of a push, from records that are here or arrive with it. Writes nothing to the repository. */
export async function checkPush(updates: readonly RefUpdate[], receiver: Receiver): Promise<readonly PushRuling[]> {
  const files = findRepository(receiver.repo);
  const scratch = makeTemporary('receive');
  try {
    const gitDir = join(scratch, 'git');
    // Objects only: refs and settings of the repository, such as refs/replace/, have no effect here.
    makeGitDir(gitDir, [join(files.commonDir, 'objects'), ...arriving(receiver)]);
    const repository = { ...receiver, refs: await readRefs(files, receiver) };
    const check = new PushCheck(gitDir, files, updates, receiver);
    const rulings: PushRuling[] = [];
    for (const update of updates) rulings.push(await check.rule(update.ref, demandOf(update, repository)));
    return rulings;
  } finally {
    await removeTree(scratch);
  }
}

/** Git keeps the objects of a push apart until its hook has accepted them. */
function arriving({ repo, caller }: Receiver): readonly string[] {
  const dir = caller['GIT_QUARANTINE_PATH'];
  return dir === undefined || dir === '' ? [] : [resolve(repo, dir)];
}

async function readRefs({ gitDir }: RepositoryFiles, { repo, caller }: Receiver): Promise<ReceivingRepository['refs']> {
  const format = '--format=%(refname) %(objectname) %(symref)';
  const output = await gitInPlace(['for-each-ref', format], { cwd: repo, gitDir, caller });
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', id = '', symref = ''] = line.split(' ');
      return { name, id, symref: symref === '' ? null : symref };
    });
}

class PushCheck {
  readonly #gitDir: string;
  readonly #files: RepositoryFiles;
  readonly #records: ReadonlyMap<string, string>;
  readonly #trusted: readonly TrustedKey[];

  constructor(gitDir: string, files: RepositoryFiles, updates: readonly RefUpdate[], { trusted }: Receiver) {
    this.#gitDir = gitDir;
    this.#files = files;
    this.#records = new Map(updates.flatMap(({ ref, after }) => (after === null ? [] : [[ref, after] as const])));
    this.#trusted = trusted;
  }

  async rule(ref: string, demand: Demand): Promise<PushRuling> {
    switch (demand.kind) {
      case 'none':
        return { ref, faults: [], verified: 0 };
      case 'refused':
        return { ref, faults: [demand.why], verified: 0 };
      case 'record': {
        // Its commit may not be here: records of other branches come along with a pattern of refs.
        const record = await git(['cat-file', 'blob', demand.blob], { gitDir: this.#gitDir });
        const signed = checkRecordSigner(record, demand.commit, this.#trusted);
        return { ref, faults: signed.ok ? [] : [signed.fault], verified: 0 };
      }
      case 'commits':
        return { ref, ...(await this.#commits(demand)) };
      default:
        return demand satisfies never;
    }
  }

  async #commits({
    branch,
    tip,
    known,
    ancestor,
  }: Extract<Demand, { kind: 'commits' }>): Promise<Omit<PushRuling, 'ref'>> {
    if (ancestor !== null && !(await this.#isAncestor(ancestor, tip)))
      return {
        faults: [`it is not a fast-forward: ${ancestor.slice(0, 12)} would no longer be on the branch`],
        verified: 0,
      };
    // Oldest first. A commit of `known` that is not here hides nothing, so it is left out.
    const there = (await Promise.all(known.map(async (id) => ((await this.#has(id)) ? [id] : [])))).flat();
    const list = ['rev-list', '--reverse', '--topo-order', tip, '--not', ...there, '--'];
    const commits = (await this.#git(list)).split('\n').filter((id) => id !== '');
    const faults: string[] = [];
    for (const commit of commits) {
      const blob = this.#records.get(landingRef(commit)) ?? lookUpRef(this.#files, landingRef(commit));
      const fault = await this.#fault(commit, blob, branch);
      if (fault !== null) faults.push(`commit ${commit.slice(0, 12)}: ${fault}`);
      if (faults.length === MAX_FAULTS) break;
    }
    return { faults, verified: commits.length };
  }

  async #fault(commit: string, blob: string | null, branch: string): Promise<string | null> {
    const places = blob === null ? {} : { blob };
    const found = await verifyCommit(commit, { gitDir: this.#gitDir }, places, branch, this.#trusted);
    return found.ok ? null : found.fault;
  }

  #has(id: string): Promise<boolean> {
    return this.#succeeds(['cat-file', '-e', `${id}^{commit}`]);
  }

  #isAncestor(before: string, after: string): Promise<boolean> {
    return this.#succeeds(['merge-base', '--is-ancestor', before, after]);
  }

  /** Anything but a plain yes is a no. */
  async #succeeds(args: readonly string[]): Promise<boolean> {
    try {
      await git(args, { gitDir: this.#gitDir });
      return true;
    } catch (error) {
      if (error instanceof GitFault) return false;
      throw error;
    }
  }

  async #git(args: readonly string[]): Promise<string> {
    return (await git(args, { gitDir: this.#gitDir })).toString('utf8');
  }
}
