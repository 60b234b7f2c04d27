import type { Report } from '../../../schema/report.ts';
import { type Section, type Words, quote } from '../document.ts';
import { furtherNote, judgeRan } from '../test-rows.ts';
import { ISOLATION_MEANING } from '../text/words.ts';

export function uncheckedSection(report: Report): Section {
  return { id: 'unchecked', title: 'What was not checked', blocks: [{ kind: 'list', items: notChecked(report) }] };
}

/** Properties that a reader might assume and this run does not prove. */
export function notChecked(report: Report): readonly Words[] {
  return [
    ...engineGaps(report),
    ...treeGaps(report),
    ...testGaps(report),
    ...confinementGaps(report),
    ...controlGaps(report),
    ...oversightGaps(report),
    ['Tests show what they test: nothing here says that the change is good in any other respect.'],
  ];
}

function engineGaps(report: Report): readonly Words[] {
  const { model, executable } = report;
  const observed = model?.observed.filter((name) => name !== model.name) ?? [];
  return [
    ...unless(report.backend_process_started, [
      'The engine was never started: nothing is known about what it would do.',
    ]),
    ...unless(executable?.admission_status === 'admitted', [
      executable === null
        ? "The engine's program is not pinned by a digest of its own."
        : "The engine's program has no admission record.",
    ]),
    ...unless(report.source_admission_status === 'admitted', ["The engine's source has no admission record."]),
    ...unless(model !== null, ['No model is recorded: nothing here speaks about one.']),
    ...unless(model === null || model.admission_status === 'admitted', ['The model has no admission record.']),
    ...unless(observed.length === 0, [
      'The answers name themselves after another model than the admitted one: ',
      quote(observed.join(', ')),
    ]),
    ...unless(model === null || model.observed.length === 0, [
      'That the model asked for is the one that answered is the word of its provider.',
    ]),
  ];
}

function treeGaps({ frozen_tree: tree, backend_process_started: started }: Report): readonly Words[] {
  if (tree === undefined || tree.examined === 'complete' || !started) return [];
  if (tree.examined === 'no')
    return [['What the engine did to the tree was not examined: ', quote(tree.detail ?? ''), '.']];
  return [['Not all that the engine left could be read or kept: ', quote(tree.detail ?? ''), '.']];
}

function testGaps({ tests, base_record: record }: Report): readonly Words[] {
  if (!judgeRan(tests)) return [['The tests did not run: the change was not judged.']];
  const further = furtherNote(tests);
  return [
    ...unless(tests.expected.length > 0 || record !== undefined, [
      'Which tests must report was never recorded, so a test that went missing would not be noticed.',
    ]),
    ...unless(tests.isolation !== 'in_process', [ISOLATION_MEANING.in_process]),
    ...(further === null ? [] : [['The judge adds: ', quote(further)]]),
  ];
}

function confinementGaps({ confinement, allowed_writes_passed: kept }: Report): readonly Words[] {
  if (confinement === null) return [['No confinement was set up, so none was tested.']];
  const open = confinement.kind === 'none';
  return [
    ...unless(!open, ['Nothing was confined: files, network and processes of the machine were within reach.']),
    ...unless(open || confinement.probe_passed, ['The confinement was not shown to hold: its probe did not pass.']),
    ...unless(confinement.network !== 'host', ['The network of the machine was within reach.']),
    ...unless(kept === true, ['It was not shown that protected directories stayed out of reach.']),
    ...confinement.not_enforced.map((limit): Words => ['Not enforced on this machine: ', quote(limit)]),
  ];
}

function controlGaps(report: Report): readonly Words[] {
  if (report.baseline !== null && report.baseline.kind === 'before') return [];
  if (report.baseline !== null) return unless(report.baseline.status === 'pass', ['The control run did not pass.']);
  return unless(report.backend === 'fake', [
    'There was no control run: nothing shows that the task can be passed here and now.',
  ]);
}

function oversightGaps(report: Report): readonly Words[] {
  return [
    ...unless(report.required_events_passed, ['Not every required step was recorded.']),
    ...unless(report.review !== null && report.review.verdict !== 'unavailable', ['The change was not reviewed.']),
  ];
}

function unless(shown: boolean, gap: Words): readonly Words[] {
  return shown ? [] : [gap];
}
