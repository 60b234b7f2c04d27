import type { Report } from '../../schema/report.ts';
import { type Block, type Fact, type Section, fact, file, note, paragraph, quote } from '../document.ts';

export function controlSection(report: Report): Section {
  return { id: 'control', title: 'Control', blocks: controlBlocks(report) };
}

function controlBlocks(report: Report): readonly Block[] {
  const { baseline } = report;
  if (baseline === null) {
    return [
      report.backend === 'fake'
        ? paragraph('None: the fake engine applies the known solution and is the control of other runs.')
        : paragraph('No control run is part of this run, so nothing shows that the task can be passed here and now.'),
    ];
  }
  const { comparison } = baseline;
  const changed = Object.entries(comparison.changed_files).map(([engine, files]): Fact => ({
    label: 'Changed by',
    value: [quote(engine), ': ', files.length === 0 ? 'nothing' : quote(files.join(', '))],
  }));
  const paths = Object.entries(baseline.paths).map(([engine, path]): Fact => ({
    label: 'Artifacts of',
    value: [quote(engine), ': ', file(path)],
  }));
  return [
    paragraph(
      'The same contract, run with a known outcome in the same run: it shows that the task can be passed here and now.',
    ),
    note(baseline.status === 'pass' ? 'good' : 'bad', `The control run ended with: ${baseline.status}.`),
    {
      kind: 'facts',
      rows: [
        fact('Control run', quote(baseline.run_id)),
        fact('Same status', comparison.same_status ? 'yes' : 'no'),
        fact('Same patch', comparison.same_patch ? 'yes' : 'no, which alone says nothing against it'),
        ...changed,
        ...paths,
      ],
    },
  ];
}
