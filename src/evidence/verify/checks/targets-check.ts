import { NO_TARGET_FILE } from '../../bundle/artifacts.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { decidingCode } from '../../reasons/explain.ts';
import { concludeReach, searchTexts, textsIn } from '../../report/target-reach.ts';
import { type NoTargetInspection, noTargetInspection } from '../../schema/no-target.ts';
import type { Report } from '../../schema/report.ts';
import { contentOf, type OpenedBundle, parseDocument } from '../opened.ts';

/** Derives the conclusion on target paths again from what was inspected, and searches the contract again. */
export function targetFaults(report: Report, { files, events }: OpenedBundle): readonly string[] {
  if (report.schema_version === 1) return [];
  const stated = report.target_conclusion ?? 'not inspected';
  if (!files.has(NO_TARGET_FILE)) return stated === 'not inspected' ? [] : [`${NO_TARGET_FILE} is missing`];
  const parsed = parseDocument(files, NO_TARGET_FILE, noTargetInspection);
  // The schema check reports a file that cannot be read.
  if (!parsed.ok || parsed.value.schema_version === 1) return [];
  const inspection = parsed.value;
  const cutOff = decidingCode(report) === 'run_interrupted';
  const started = events.entries.some(({ type }) => type === 'backend.started');
  return [
    ...(cutOff || stated === inspection.conclusion ? [] : [`target_conclusion differs from ${NO_TARGET_FILE}`]),
    ...(inspection.conclusion === 'not inspected' || concludeReach(inspection) === inspection.conclusion
      ? []
      : [`${NO_TARGET_FILE} concludes "${inspection.conclusion}" against its own findings`]),
    ...(report.status === 'pass' && started && !PASSING.has(stated) ? [`a pass with targets ${stated}`] : []),
    ...contractFaults(inspection, contentOf(files, CONTRACT_FILE)),
  ];
}

const PASSING: ReadonlySet<string> = new Set(['not reachable', 'no targets configured']);

function contractFaults({ targets, searched }: NoTargetInspection, contract: Buffer | null): readonly string[] {
  const stated = searched.find(({ what }) => what === 'task contract');
  if (stated === undefined || contract === null) return [];
  const [again] = searchTexts({ 'task contract': textsIn(jsonIn(contract)) }, targets);
  const unstated = again?.matches.filter((path) => !stated.matches.includes(path)) ?? [];
  return unstated.map((path) => `the task contract names the target ${path}, but ${NO_TARGET_FILE} denies it`);
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
