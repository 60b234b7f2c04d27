import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { projectOf } from '../config/resolve.ts';
import { agentsFile } from '../config/schema.ts';
import { foldJournal } from '../journal/fold.ts';
import { openJournal } from '../journal/store.ts';
import { phaseFiles, stateDir } from '../protocol/paths.ts';
import { beginPhase } from './begin.ts';

test('when a phase begins after another, agents that live across phases get one line in their inbox', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-begin-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const phases = ['one', 'two'].map((id) => ({ id, plan: 'p.md', proof: { test: 'true' } }));
  const persistent = { kind: 'persistent', backend: 'demo' };
  const file = { session_prefix: 'p-', phases, agents: { helper: persistent, lead: { ...persistent, role: 'head' } } };
  const project = projectOf(agentsFile.parse(file), { dir, id: 'x', repo: dir });
  const journal = openJournal(stateDir(project), systemClock);
  const begin = async (index: number): Promise<void> => {
    const phase = project.phases[index];
    if (phase !== undefined)
      await beginPhase(project, phase, index, foldJournal(journal.read()), { journal, clock: systemClock });
  };
  await begin(0);
  await journal.append({
    type: 'phase.ended',
    phase: 'one',
    index: 0,
    outcome: 'proven',
    commit: 'c'.repeat(40),
    bundle: null,
  });
  await begin(1);
  await begin(1);
  const inbox = (phase: string, owner: string): string => readFileSync(phaseFiles(project, phase).inbox(owner), 'utf8');
  expect([inbox('one', 'helper'), inbox('one', 'head')]).toEqual(['', '']);
  for (const owner of ['helper', 'head'])
    expect(inbox('two', owner).match(/^PHASE two begins; one is proven$/gm)).toHaveLength(1);
  expect(journal.read().filter(({ type }) => type === 'inbox.received')).toHaveLength(2);
});
