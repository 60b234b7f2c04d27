import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { ComparisonPlan } from '../../../evidence/comparison/schema.ts';
import { liveTable, type LiveView, type SlotState } from './live-table.ts';

const engine = (label: string) => ({ label, engine: label, model: null, options: {}, executable_sha256: null });
const task = (name: string) => ({ name, source: { kind: 'directory', path: name } as const, task_sha256: '' });
const plan: ComparisonPlan = {
  schema_version: 1,
  comparison_id: 'c',
  declared_at: '2026-11-17T00:00:00.000Z',
  nonce: '0',
  engines: [engine('fake'), engine('qwen')],
  tasks: [task('slugify'), task('a-name-that-is-too-long-for-a-column')],
  repeat: 2,
  agent_timeout_sec: null,
  budgets: { max_requests: null, max_tokens: null, max_cost_usd: null },
};
const states: readonly SlotState[] = [
  { is: 'pass' },
  { is: 'fail' },
  { is: 'pass' },
  { is: 'not_judged' },
  { is: 'pass' },
  { is: 'running', steps: [{ name: 'engine', started: 0, ended: null, ok: true }], sinceMs: 60_000 },
  { is: 'waiting' },
  { is: 'waiting' },
];
const view: LiveView = { plan, states, startedMs: 0, nowMs: 72_300, columns: 80, rows: 24, color: false };

describe('the live table', () => {
  it('shows every run, the rates so far, and what goes on', () => {
    expect(liveTable(view)).toEqual([
      '5 of 8 runs · 1 min 12 s',
      '                              fake   qwen',
      'slugify                       ✓✓     ✗▸',
      'a-name-that-is-too-long-for…  ✓·     ○·',
      'pass rate                     100 %  0 %',
      '✓ pass  ✗ fail  ○ not judged  ▸ running  · not run',
      '▸ qwen on slugify (run 2): engine, 12.3 s',
    ]);
  });

  it.each([
    [80, 6],
    [30, 24],
    [12, 3],
  ])('fits into %d × %d, coloured or not', (columns, rows) => {
    for (const color of [true, false]) {
      const lines = liveTable({ ...view, columns, rows, color });
      expect(lines.length).toBeLessThan(rows);
      for (const line of lines) expect(stringWidth(line)).toBeLessThan(columns);
    }
  });
});
