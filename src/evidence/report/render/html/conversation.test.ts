import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../schema/events.ts';
import { sampleEvent, sampleReport, sampleView } from '../sample-report.fixture.ts';
import { renderHtml } from '../html.ts';

const pageOf = (events: readonly RunEvent[]): string => renderHtml(sampleView({ events, report: sampleReport() }));

/** Text of the conversation, tags removed. */
function conversationOf(page: string): string {
  const section = /<section id="conversation">([^]*?)<\/section>/.exec(page)?.[1] ?? '';
  return section.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

const turn = (at: number, words: string, output: string, ok = true): readonly RunEvent[] => {
  const id = `t${at}`;
  return [
    sampleEvent(at, 'engine.message', { text: words }, 'engine'),
    sampleEvent(at + 1, 'engine.tool', { name: 'bash', detail: '{"command":"make check","n":2}', id }, 'engine'),
    sampleEvent(at + 1, 'model.request', {
      provider: 'p',
      model: 'm',
      http_status: 200,
      started_at: new Date(Date.parse('2026-11-15T23:41:00.000Z') + at - 1).toISOString(),
      input_tokens: 1200,
      output_tokens: 34,
      cost_usd: 0.01,
    }),
    sampleEvent(at + 251, 'engine.tool_result', { id, ok, detail: output }, 'engine'),
  ];
};

const STARTED = sampleEvent(0, 'backend.started', { argv: ['x'] });

describe('the conversation in report.html', () => {
  it('has turns with their costs, and each tool call with its output beside it', () => {
    const page = pageOf([STARTED, ...turn(10, 'I check it.', 'all good'), ...turn(500, 'Again.', 'boom', false)]);
    expect(conversationOf(page)).toContain(
      '2 turns, 2 tool calls of which 1 failed, 2 requests, 2,400 tokens in, 68 out, 0.0200 USD.',
    );
    expect(conversationOf(page)).toMatch(
      /1 \+0\.010 s I check it\. bash 1 request, 1,200 tokens in, 34 out, 0\.0100 USD I check it\. ✓ bash make check 0\.3 s Call command: make check n: 2 Output all good/,
    );
    expect(page).toMatch(/<details class="call failed" open>[^]*?boom/);
  });

  it('shows five thousand turns, folded, each with what it is about', () => {
    const events = [
      STARTED,
      ...Array.from({ length: 5000 }, (_, at) => turn(10 + at * 300, `Step ${at}.`, 'ok')).flat(),
    ];
    const page = pageOf(events);
    expect(page.match(/<details class="turn" id="turn-\d+">/g)).toHaveLength(5000);
    expect(conversationOf(page)).toContain('5000 +1499.710 s Step 4999. bash');
    expect(page.length).toBeLessThan(8_000_000);
  });

  it('never cuts a text or leaves out a turn without naming the file that has it', () => {
    const long = 'x'.repeat(300_000);
    const page = pageOf([
      STARTED,
      ...Array.from({ length: 300 }, (_, at) => turn(10 + at * 300, 'More.', long)).flat(),
    ]);
    expect(page).toMatch(/260,000 more characters: see <a href="events.normalized.jsonl">/);
    expect(page).toMatch(/\d+ turns not shown here: see <a href="events.normalized.jsonl">/);
    expect(page).toContain('<a href="backend/stdout.log">');
    expect(page).toContain('id="turn-1"');
    expect(page).toContain('id="turn-300"');
    expect(page.length).toBeLessThan(9_000_000);
  });

  it('leaves the section out where the engine said nothing', () => {
    expect(pageOf([STARTED])).not.toContain('id="conversation"');
  });
});
