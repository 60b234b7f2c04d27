import type { Bounds } from '../text/bounds.ts';
import { type Section, file, note, paragraph } from '../document.ts';
import { timelineSteps } from '../timeline.ts';
import type { ReportView } from '../view.ts';

export function timelineSection(view: ReportView, bounds: Bounds): Section {
  const id = 'timeline';
  const title = 'Timeline';
  const log = file('events.normalized.jsonl');
  if (view.events.length === 0) return { id, title, blocks: [paragraph('No event was recorded.')] };
  const steps = timelineSteps(view.events, bounds.events);
  const left = steps.reduce((sum, step) => sum + step.leftOut, 0);
  const missing = view.report.missing_events;
  return {
    id,
    title,
    blocks: [
      paragraph(
        'Times count from the first event. Lines marked as a claim are what the engine says of itself; they decide nothing.',
      ),
      { kind: 'timeline', steps, totalMs: steps.at(-1)?.toMs ?? 0 },
      ...(left === 0 ? [] : [note('plain', `${left} of ${view.events.length} events not shown here: see `, log, '.')]),
      ...(missing.length === 0 ? [] : [note('bad', 'Required events never seen: ', { quote: missing.join(', ') })]),
    ],
  };
}
