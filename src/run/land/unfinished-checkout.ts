import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseBytes } from '../../evidence/schema/document.ts';
import { replaceFile } from '../../evidence/storage/durable.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemCode } from '../../kernel/errors.ts';
import { CommitBuilder } from '../apply/build-commit.ts';
import type { Target } from '../apply/target.ts';
import { TargetWorkTree } from '../apply/work-tree.ts';
import type { Branch } from './branch.ts';

const commitId = z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/));

/** A branch that is checked out is about to move; its files follow after that. */
const note = z.strictObject({ ref: z.string(), from: commitId, to: commitId });
type CheckoutNote = z.infer<typeof note>;

const notePath = ({ gitDir }: Pick<Target, 'gitDir'>): string => join(gitDir, 'seatrial-landing.json');

/** Runs `work`, which moves a branch and then its files. If it is killed in between, the note stays, and the next landing finishes it. */
export async function withCheckoutNote<T>(holder: Target, about: CheckoutNote, work: () => Promise<T>): Promise<T> {
  replaceFile(notePath(holder), Buffer.from(prettyJson(about)));
  try {
    return await work();
  } finally {
    forget(holder);
  }
}

/** Lets the files follow a branch that a killed landing had moved, if they are as it left them. `scratch` exists. */
export async function finishCheckout({ holder, ref, tip }: Branch, scratch: string): Promise<void> {
  if (holder === null || holder.workTree.kind !== 'here') return;
  const left = readNote(holder);
  if (left === null) return;
  if (left.ref === ref && left.to === tip) {
    const before = { ...holder, head: left.from };
    const files = await TargetWorkTree.open(before, holder.workTree.path, join(scratch, 'unfinished'));
    const place = join(scratch, 'unfinished-objects');
    mkdirSync(place);
    const changes = await new CommitBuilder(holder, place).changes(left.from, left.to);
    const { uncommitted, uncertain, inTheWay } = await files.state(changes);
    if (uncommitted.length + uncertain.length + inTheWay.length === 0) {
      await files.prepare(changes.map(({ path }) => path));
      await files.checkOut(left.from, left.to, { dryRun: false });
    }
  }
  forget(holder);
}

function readNote(holder: Target): CheckoutNote | null {
  try {
    const parsed = parseBytes(readFileSync(notePath(holder)), note);
    return parsed.ok ? parsed.value : null;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const forget = (holder: Target): void => rmSync(notePath(holder), { force: true });
