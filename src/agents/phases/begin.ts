import { BUILDER_ROLE, playerOf, type Phase, type Project } from '../config/project.ts';
import type { ProjectHistory } from '../journal/fold.ts';
import type { JournalFact } from '../journal/schema.ts';
import type { Journal } from '../journal/store.ts';
import { ensureClone, headOfClone } from '../protocol/clones.ts';
import { inboxMessage } from '../protocol/inbox.ts';
import { giveBase } from '../protocol/give-base.ts';
import { ensurePhaseFiles } from '../protocol/directories.ts';
import { workDirOf } from '../protocol/paths.ts';

/** Where the builder's commits are; null: the project has no builder. */
export function builderClone(project: Project): string | null {
  const builder = playerOf(project, BUILDER_ROLE);
  return builder === null ? null : workDirOf(project, builder);
}

/** Journals that a phase begins, with its base: the commit that landed or was claimed in the phase before, else what the builder's clone has checked out. */
export async function beginPhase(
  project: Project,
  phase: Phase,
  index: number,
  history: ProjectHistory,
  journal: Journal,
): Promise<void> {
  const builder = playerOf(project, BUILDER_ROLE);
  if (builder !== null && builder.dir === null) await ensureClone(project, builder);
  ensurePhaseFiles(project, phase);
  const before = project.phases[index - 1];
  const ended = before === undefined ? null : (history.phases.get(before.id)?.ended ?? null);
  const clone = builderClone(project);
  const base = ended?.landed ?? ended?.commit ?? (clone === null ? null : headOfClone(clone));
  // What landed was merged there; the builder goes on from it.
  if (ended?.landed !== undefined && clone !== null) await giveBase(project.repo, clone, ended.landed);
  await journal.transact((entries) =>
    entries.some((entry) => entry.type === 'phase.began' && entry.phase === phase.id && isOpen(entries, entry.seq))
      ? []
      : [{ type: 'phase.began', phase: phase.id, index, base }, ...news(project, phase, index, history)],
  );
}

/** Persistent agents live across phases, so each is told of a new one. The watchdog writes to an inbox what the journal has and the file lacks. */
function news(project: Project, phase: Phase, index: number, { lastAt }: ProjectHistory): JournalFact[] {
  const before = project.phases[index - 1];
  if (before === undefined || lastAt === null) return [];
  const text = inboxMessage(lastAt, 'the watchdog', `Phase ${before.id} has ended, phase ${phase.id} has begun.`);
  return project.agents
    .filter(({ kind, enabled }) => kind === 'persistent' && enabled)
    .map(({ role, name }) => ({ type: 'inbox.received', phase: phase.id, role: role ?? name, text }));
}

/** No `phase set` or end of a phase came after it. */
function isOpen(entries: Parameters<Parameters<Journal['transact']>[0]>[0], seq: number): boolean {
  return !entries.slice(seq + 1).some(({ type }) => type === 'phase.set' || type === 'phase.ended');
}
