import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../confine/scratch.ts';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import { onRepository } from '../own-repository.ts';
import { type Row, seenIn } from '../row.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';
import { type Variant, VARIANTS } from './variants.ts';

/** Every honest variant must pass: measures false rejections. */
export function honestRows(): Row[] {
  return Object.entries(VARIANTS).flatMap(([kind, variants]) => variants.map((variant) => honestRow(kind, variant)));
}

function honestRow(kind: string, variant: Variant): Row {
  return {
    name: variant.name,
    kind,
    expected: { reason: null, event: 'verification.completed', status: 'pass', exit: EXIT.pass },
    play: async (request) => {
      const report = await playVariant(variant, request);
      return { seen: seenIn(report), run: report.run_id };
    },
  };
}

async function playVariant({ script, terms, ignores, repository }: Variant, request: RunRequest): Promise<Report> {
  if (repository !== undefined) return onRepository(request, repository, script, runTask);
  const honest = { ...request, engine: fakeEngine({ script }), terms: { ...request.terms, ...terms } };
  if (ignores === undefined) return runTask(honest);
  const scratch = makeScratch();
  try {
    const filesDir = join(scratch, 'files');
    cpSync(request.inputs.filesDir, filesDir, { recursive: true });
    writeFileSync(join(filesDir, '.gitignore'), ignores);
    return await runTask({ ...honest, inputs: { ...request.inputs, filesDir } });
  } finally {
    await removeScratch(scratch);
  }
}
