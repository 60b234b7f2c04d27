import type { RunEvent } from '../../../schema/events.ts';
import { type Section, type StateRow, paragraph, quote } from '../document.ts';
import type { ReportView } from '../view.ts';
import { isGated } from '../text/who.ts';

type Gate = Extract<RunEvent, { type: 'gate.checked' }>['data'];

/** The checks before the engine started. Omitted for an engine that needs no admission and was not refused. */
export function checksSections({ report, events }: ReportView): readonly Section[] {
  const gates = events.flatMap((event) => (event.type === 'gate.checked' ? [event.data] : []));
  const refusal = gates.some((gate) => !gate.passed);
  if (gates.length === 0 || !(refusal || isGated(report))) return [];
  const lead = refusal
    ? 'The first refusal ended the run: what would have been asked after it was not.'
    : 'All of it had to hold before the engine was started.';
  return [{ id: 'checks', title: 'Checks', blocks: [paragraph(lead), { kind: 'states', rows: gates.map(rowOf) }] }];
}

function rowOf({ gate, passed, reason, detail }: Gate): StateRow {
  return passed
    ? { state: 'passed', tone: 'good', text: [quote(gate), ': ', quote(detail)] }
    : { state: 'refused', tone: 'bad', text: [quote(gate), ': ', quote(reason ?? 'refused'), '. ', quote(detail)] };
}
