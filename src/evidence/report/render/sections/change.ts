import type { Bounds } from '../text/bounds.ts';
import { boundDiff } from '../diff/bounds.ts';
import { type FileDiff, parseDiff } from '../diff/parse.ts';
import { type Block, type Section, boundedList, file, note, paragraph, quote } from '../document.ts';
import type { Report } from '../../../schema/report.ts';
import type { ReportView } from '../view.ts';
import { bytesText, plural } from '../text/words.ts';

export function changeSection(view: ReportView, bounds: Bounds): Section {
  const blocks = [...fileBlocks(view, bounds), ...ignoredBlocks(view), ...diffBlocks(view, bounds)];
  return { id: 'change', title: 'The change', blocks };
}

function fileBlocks({ report }: ReportView, bounds: Bounds): readonly Block[] {
  const { frozen_tree: tree } = report;
  if (tree?.examined === 'no')
    return [note('warn', 'The tree that the engine left was not examined: ', quote(tree.detail ?? ''), '.')];
  if (report.changed_files.length === 0) return [paragraph('No file was changed.')];
  const disallowed = new Set(report.disallowed_writes);
  const where = file('report.json');
  const list = (paths: readonly string[]): Block => ({
    kind: 'states',
    rows: paths.map((path) =>
      disallowed.has(path)
        ? { state: 'not allowed', tone: 'bad', text: [quote(path)] }
        : { state: 'allowed', tone: 'plain', text: [quote(path)] },
    ),
  });
  return boundedList(report.changed_files, bounds.listItems, list, where);
}

function ignoredBlocks({ report }: ReportView): readonly Block[] {
  if (report.ignored_files.length === 0) return [];
  return [
    note(
      'plain',
      'Not part of the change, because the base ignores it, the setup made it, or it lies where settings were hidden: ',
      quote(report.ignored_files.join(', ')),
      '.',
    ),
  ];
}

function diffBlocks(view: ReportView, bounds: Bounds): readonly Block[] {
  const { patch } = view.report;
  if (view.patch === '') {
    if (patch.bytes > 0) return [note('plain', 'The patch is in ', file(patch.path), '.')];
    return view.report.changed_files.length === 0
      ? []
      : [outsideThePatch(view.report, view.report.changed_files.length)];
  }
  const all = parseDiff(view.patch);
  const files = boundDiff(all, bounds);
  const cut =
    view.patchCut ||
    files.length < all.length ||
    files.some((entry) => entry.leftOut > 0) ||
    hasLongLine(all, bounds.lineLength);
  const beside = view.patchCut ? 0 : view.report.changed_files.length - all.length;
  const size = `${plural(all.length, 'file')}, ${bytesText(patch.bytes)}`;
  return [
    { kind: 'diff', files },
    cut
      ? note(
          'warn',
          'Only a part of the diff is shown here. All of it is in ',
          file(patch.path),
          ` (${bytesText(patch.bytes)}).`,
        )
      : note('plain', 'The whole diff, as in ', file(patch.path), ` (${size}).`),
    ...(beside > 0 ? [outsideThePatch(view.report, beside)] : []),
  ];
}

function outsideThePatch({ frozen_tree: tree }: Report, count: number): Block {
  const files = `${plural(count, 'changed file')} not in the diff: `;
  if (tree?.examined === 'partial') return note('warn', files, quote(tree.detail ?? ''), '.');
  return note('warn', `${files}what is too large for it lies in `, file('blobs/index.json'), '.');
}

function hasLongLine(files: readonly FileDiff[], length: number): boolean {
  return files.some((entry) => entry.hunks.some((hunk) => hunk.lines.some((line) => line.text.length > length)));
}
