import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirs, replaceFile } from '../../evidence/storage/durable.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { Project } from '../config/project.ts';
import { phaseIndexFile } from '../protocol/paths.ts';

/** `state/phase-idx`: ASCII decimal from 0; the number of phases means that all are done. A missing file is 0. Writes nothing. */
export function readPhaseIndex(project: Project): number {
  const path = phaseIndexFile(project);
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw new SeatrialError('blocked', `cannot read ${path} (${systemCode(error) ?? 'unreadable'})`, error);
  }
  const index = /^(0|[1-9]\d{0,5})\n?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(index))
    throw new SeatrialError(
      'blocked',
      `${path} holds ${JSON.stringify(text.slice(0, 40))}, not a number; set it with \`seatrial phase set <id>\``,
    );
  if (index > project.phases.length)
    throw new SeatrialError(
      'blocked',
      `${path} says ${index}, but ${project.file} has only ${project.phases.length} phases; restore them, or set it with \`seatrial phase set <id>\``,
    );
  return index;
}

/** Readers see the old index or the new one. */
export function writePhaseIndex(project: Project, index: number): void {
  const path = phaseIndexFile(project);
  makeDirs(dirname(path));
  replaceFile(path, Buffer.from(`${index}\n`));
}
