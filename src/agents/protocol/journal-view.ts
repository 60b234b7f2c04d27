import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { ADVERSARY_ROLE, type Phase, playerOf, type Project } from '../config/project.ts';
import type { ClaimRecord } from '../journal/phase-history.ts';
import { makeEmptyDir } from './directories.ts';
import { readProtocolFile } from './inbox.ts';
import { agentDir, journalViewOf, phaseFiles } from './paths.ts';

const SNAPSHOT = /^journal-at-[0-9a-f]+\.md$/;
const snapshotOf = (project: Project, adversary: string, commit: string): string =>
  join(agentDir(project, adversary), `journal-at-${commit}.md`);

/** Keeps the builder's journal as it is when a verdict is given: what it writes afterwards is about its next attempt. */
export function keepJournalForVerdict(project: Project, phase: Phase, commit: string): void {
  const adversary = playerOf(project, ADVERSARY_ROLE);
  if (adversary === null) return;
  const dir = agentDir(project, adversary.name);
  makeDirs(dir);
  for (const name of readdirSync(dir)) if (SNAPSHOT.test(name)) rmSync(join(dir, name), { force: true });
  writeWhole(snapshotOf(project, adversary.name, commit), readProtocolFile(phaseFiles(project, phase.id).journal));
}

/**
 * Keeps what the adversary sees of the builder's journal as it must be: nothing, until a verdict on the last claim is journalled. A copy in a directory
 * that is mounted in its pane, because what is mounted there cannot be changed while it runs.
 */
export function keepJournalView(
  project: Project,
  phase: Phase,
  claim: Pick<ClaimRecord, 'verdict' | 'commit'> | null,
): void {
  const adversary = playerOf(project, ADVERSARY_ROLE);
  if (adversary === null) return;
  const dir = journalViewOf(project, adversary.name);
  if (!existsSync(dir)) return;
  if (claim === null || claim.verdict === null) return makeEmptyDir(dir);
  const copy = join(dir, `JOURNAL-${phase.id}.md`);
  if (!existsSync(copy)) writeWhole(copy, readProtocolFile(snapshotOf(project, adversary.name, claim.commit)));
}
