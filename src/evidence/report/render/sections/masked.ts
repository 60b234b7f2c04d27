import { type Section, paragraph, quote } from '../document.ts';
import type { ReportView } from '../view.ts';
import { plural } from '../text/words.ts';

/** Lists the masked secrets by name, so that the reader knows what the stored output omits. */
export function maskedSection({ events }: ReportView): Section {
  const found = events.flatMap((event) => (event.type === 'secrets.masked' ? event.data.found : []));
  const blocks =
    found.length === 0
      ? [paragraph('Nothing: no known secret was seen in what this run printed.')]
      : [
          paragraph('Values and shapes of credentials were replaced before anything was stored:'),
          { kind: 'list' as const, items: found.map(({ name, count }) => [quote(name), `, ${plural(count, 'time')}`]) },
        ];
  return { id: 'masked', title: 'What was masked', blocks };
}
