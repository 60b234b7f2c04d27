import { describe, expect, it } from 'vitest';
import type { Report } from '../../../schema/report.ts';
import { sampleReport } from '../sample-report.fixture.ts';
import { notChecked } from './unchecked.ts';

function gaps(changes: Partial<Report>): string {
  return notChecked(sampleReport(changes))
    .map((words) => words.map((part) => (typeof part === 'string' ? part : Object.values(part).join(''))).join(''))
    .join('\n');
}

describe('what was not checked', () => {
  const { tests, confinement } = sampleReport();
  if (confinement === null) throw new Error('the sample is confined');

  it.each([
    ['shared process', { tests: { ...tests, isolation: 'in_process' } }, 'a hostile patch could forge this'],
    ['expected tests unknown', { tests: { ...tests, expected: [] } }, 'a test that went missing would not be noticed'],
    ['limits not enforced', {}, 'Not enforced on this machine: memory_bytes'],
    ['no confinement', { confinement: { ...confinement, kind: 'none', network: 'host' } }, 'Nothing was confined'],
    ['probe failed', { confinement: { ...confinement, probe_passed: false } }, 'its probe did not pass'],
    ['no control', { backend: 'claude' }, 'There was no control run'],
    ['no model', {}, 'No model is recorded'],
    ['no review', {}, 'The change was not reviewed'],
    ['not started', { backend_process_started: false }, 'The engine was never started'],
    ['tests not run', { tests: { ...tests, exit_code: null, seen: [] } }, 'The tests did not run'],
  ] satisfies [string, Partial<Report>, string][])('says: %s', (_name, changes, sentence) => {
    expect(gaps(changes)).toContain(sentence);
  });

  it('does not complain of what was checked', () => {
    const text = gaps({ review: { verdict: 'accepted', by: 'a person', comment: '' } });
    for (const sentence of ['forge', 'Nothing was confined', 'never started', 'control run', 'not reviewed']) {
      expect(text).not.toContain(sentence);
    }
  });
});
