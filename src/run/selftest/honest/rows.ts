import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import { onRepository } from '../own-repository.ts';
import { type Row, seenIn } from '../row.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';
import { C } from './changes/c.ts';
import { GO } from './changes/go.ts';
import { JAVASCRIPT } from './changes/javascript.ts';
import { KEPT } from './changes/kept.ts';
import { OWN_NAMES } from './changes/own-names.ts';
import { OWN_TYPES } from './changes/own-types.ts';
import { EVERYDAY } from './changes/everyday.ts';
import { PLACES } from './changes/places.ts';
import { PYTHON } from './changes/python.ts';
import { PYTHON_HELPERS } from './changes/python-helpers.ts';
import { PYTHON_LAYOUTS } from './changes/python-layouts.ts';
import { RUST } from './changes/rust.ts';
import { SHELL } from './changes/shell.ts';
import { TYPESCRIPT } from './changes/typescript.ts';
import { commitOfDrawn, type DrawnChange, kindOfDrawn } from './drawn.ts';
import { playCommit, playRepository } from './play-repository.ts';
import type { RepositoryVariant } from './repository-variant.ts';
import { type Variant, VARIANTS } from './variants.ts';

/** Changes to small repositories of one language. */
interface LanguageChanges {
  readonly kind: string;
  readonly changes: readonly RepositoryVariant[];
}

const LANGUAGES: readonly LanguageChanges[] = [
  { kind: 'time zones, languages and networks', changes: PLACES },
  { kind: 'everyday use', changes: [...EVERYDAY, ...OWN_NAMES] },
  {
    kind: 'Python repositories',
    changes: [...PYTHON, ...PYTHON_LAYOUTS, ...PYTHON_HELPERS, ...OWN_TYPES.python, ...KEPT.python],
  },
  { kind: 'JavaScript repositories', changes: [...JAVASCRIPT, ...OWN_TYPES.javascript, ...KEPT.javascript] },
  { kind: 'TypeScript repositories', changes: TYPESCRIPT },
  { kind: 'Go repositories', changes: GO },
  { kind: 'Rust repositories', changes: [...RUST, ...OWN_TYPES.rust] },
  { kind: 'C repositories', changes: C },
  { kind: 'shell repositories', changes: SHELL },
];

/** Every honest variant must pass: measures false rejections. `drawn`: commits of clones on this machine. */
export function honestRows(drawn: readonly DrawnChange[] = []): Row[] {
  return [
    ...Object.entries(VARIANTS).flatMap(([kind, variants]) =>
      variants.map((variant) => honestRow(kind, variant.name, (request) => playVariant(variant, request))),
    ),
    ...LANGUAGES.flatMap(({ kind, changes }) =>
      changes.map((change) => ({
        ...honestRow(kind, change.name, (request) => playRepository(change, request)),
        ...(change.repository.needs === undefined ? {} : { needs: change.repository.needs }),
      })),
    ),
    ...drawn.map((change) =>
      honestRow(kindOfDrawn(change), change.name, async (request) => playCommit(await commitOfDrawn(change), request)),
    ),
  ];
}

function honestRow(kind: string, name: string, play: (request: RunRequest) => Promise<Report>): Row {
  return {
    name,
    kind,
    expected: { reason: null, event: 'verification.completed', status: 'pass', exit: EXIT.pass },
    play: async (request) => {
      const report = await play(request);
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
