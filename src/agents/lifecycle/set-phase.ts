import { existsSync } from 'node:fs';
import { SeatrialError } from '../../kernel/errors.ts';
import { writePhaseIndex } from '../phases/index-file.ts';
import { moveToArchive } from '../archive/store.ts';
import { phaseFiles } from '../protocol/paths.ts';
import { type Operation, sessionsOf } from './operate.ts';

/** Goes to a phase. Refuses while loops live. The protocol files of that phase and of later ones are set aside, so that old claims do not count. */
export async function setPhase(operation: Operation, id: string): Promise<number> {
  const { project, journal, clock } = operation;
  const index = project.phases.findIndex((phase) => phase.id === id);
  if (index === -1)
    throw new SeatrialError(
      'usage',
      `there is no phase ${JSON.stringify(id)}; the phases are ${project.phases.map((phase) => phase.id).join(', ')}`,
    );
  const sessions = await sessionsOf(operation);
  const alive = project.agents.filter(({ kind, session }) => {
    const seen = sessions.get(session);
    return kind === 'loop' && seen?.project === project.id && seen.dead === null;
  });
  if (alive.length > 0)
    throw new SeatrialError(
      'blocked',
      `${alive.map(({ name }) => name).join(', ')} still run; stop them with \`seatrial down\``,
    );
  for (const phase of project.phases.slice(index)) {
    const { root } = phaseFiles(project, phase.id);
    if (!existsSync(root)) continue;
    const why = `phase set ${id}`;
    moveToArchive(project, clock.now(), { kind: 'protocol', agent: null, from: root, head: null, why });
  }
  await journal.append({ type: 'phase.set', index, by: 'phase set' });
  writePhaseIndex(project, index);
  return index;
}
