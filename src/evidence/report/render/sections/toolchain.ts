import type { Report } from '../../../schema/report.ts';
import { type Block, type Fact, type Section, fact, paragraph, quote } from '../document.ts';
import { ADMISSION_WORD } from '../text/words.ts';

/** Programs that contributed to the run, pinned by their digests. */
export function toolchainSection(report: Report): Section {
  const tools = report.toolchain.map((tool): Fact =>
    fact(tool.name, quote(tool.version), ' at ', quote(tool.path), ', sha256 ', quote(tool.sha256)),
  );
  const rows = [...executableFacts(report), ...imageFacts(report), ...tools];
  const blocks: readonly Block[] =
    rows.length === 0 ? [paragraph('No program was recorded.')] : [{ kind: 'facts', rows }];
  return { id: 'toolchain', title: 'Toolchain', blocks };
}

function howMade({ built }: NonNullable<Report['image']>): Fact['value'] {
  if (built === undefined) return [', this machine stood in for it'];
  return [', built by ', quote(built.builder), ', sha256 of its files ', quote(built.sha256)];
}

/** The task's image, or what stood in for it. */
function imageFacts({ image }: Report): readonly Fact[] {
  if (image === undefined) return [];
  return [
    fact('Image', quote(image.from), ...howMade(image), '; work directory ', quote(image.workdir)),
    ...image.packages.map((text) => fact('Package', quote(text))),
    ...image.notes.map((text) => fact('Note', quote(text))),
  ];
}

function executableFacts({ executable, source_admission_status: source }: Report): readonly Fact[] {
  if (executable === null) return [];
  const admitted = ADMISSION_WORD[executable.admission_status];
  const version = executable.version === undefined ? [] : [quote(executable.version), ' at '];
  const commit = executable.source_commit === null ? [] : [', source commit ', quote(executable.source_commit)];
  return [
    fact(
      'Engine program',
      ...version,
      quote(executable.path),
      `, ${admitted}, sha256 `,
      quote(executable.sha256),
      ...commit,
    ),
    fact('Engine source', ADMISSION_WORD[source]),
  ];
}
