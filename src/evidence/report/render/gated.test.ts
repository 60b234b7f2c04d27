import { describe, expect, it } from 'vitest';
import { sampleEvent, sampleView } from './sample-report.fixture.ts';
import { GATES, gatedReport, passedGates, refusedGate, refusedReport } from './gated.fixture.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { verdictLines } from './terminal.ts';

const PLAIN = { color: false, columns: 100 };

function pageOf(...args: Parameters<typeof sampleView>): string {
  return renderMarkdown(sampleView(...args));
}

describe('a run of an engine that had to be admitted', () => {
  it('says in its first sentence who ran, at which stage and with which model', () => {
    expect(pageOf({ report: gatedReport() })).toContain(
      'Engine `case` at stage 2 with `qwen-local/qwen3.6-35b-a3b` in 0.4 s.',
    );
  });

  it('keeps the admitted identity of the model apart from the name that the engine uses', () => {
    const page = pageOf({ report: gatedReport() });
    expect(page).toContain('- **Model**: `qwen-local/qwen3.6-35b-a3b`, admitted\n');
    expect(page).toContain('- **Known to the engine as**: `openai/qwen3.6-35b-a3b`, a name that admits nothing\n');
  });

  it('shows program, usage, and that the harness ended it after the committed proof', () => {
    const page = pageOf({ report: gatedReport() });
    expect(page).toContain('- **Engine**: `case` ended by the harness after the committed proof\n');
    expect(page).toContain('- **Program**: `0de4aab86512`, admitted\n');
    expect(page).toContain('- **Usage**: 1,200 requests, 40,000 tokens in, 2,000 tokens out\n');
  });

  it('does not say that an engine ended by itself which was cut off', () => {
    const page = pageOf({ report: gatedReport({ backend_completion: 'exited', backend_exit_code: null }) });
    expect(page).toContain('- **Engine**: `case` was ended from outside\n');
  });

  it('names what was found where a check refused, and lists the checks up to it', () => {
    const reason = 'stage not set';
    const events = [...passedGates(['enabled']), refusedGate('stage', reason, 'CTO_HARNESS_CASE_STAGE names no stage')];
    const page = pageOf({ report: refusedReport(reason), events });
    expect(page).toContain('Engine `case` was not started.');
    expect(page).toMatch(/\*\*Reason\*\*: `stage not set`\. .* Found: `CTO_HARNESS_CASE_STAGE names no stage`\./);
    expect(page).toContain(
      '- passed: `enabled`: `enabled is fine`\n- refused: `stage`: `stage not set`. `CTO_HARNESS_CASE_STAGE names no stage`\n',
    );
  });

  it('makes the refused check stand out', () => {
    const events = [...passedGates(['enabled']), refusedGate('stage', 'stage not set', 'none')];
    const page = renderHtml(sampleView({ report: refusedReport('stage not set'), events }));
    const checks = page.slice(page.indexOf('<section id="checks">'), page.indexOf('<section id="timeline">'));
    expect([...checks.matchAll(/<li class="(\w+)"><b>(\w+)<\/b>/g)].map(([, tone, state]) => [tone, state])).toEqual([
      ['good', 'passed'],
      ['bad', 'refused'],
    ]);
  });

  it('says what the gateway saw when the provider was at fault', () => {
    const detail = 'the provider answered with an error';
    const reason = 'provider unavailable: HTTP 500';
    const events = [sampleEvent(5, 'provider.unavailable', { detail })];
    const report = gatedReport({ status: 'blocked', failure_reason: reason, blockers: [reason, 'no diff produced'] });
    const page = pageOf({ report, events });
    expect(page).toMatch(/`provider unavailable: HTTP 500`\. .* Found: `the provider answered with an error`\./);
    expect(page.match(/Found: /g)).toHaveLength(1);
  });

  it('says that only the provider knows which model answered', () => {
    expect(pageOf({ report: gatedReport() })).toContain('is the word of its provider');
    expect(pageOf()).not.toContain('is the word of its provider');
  });
});

describe('a run without a model', () => {
  it('says nothing of programs, names and checks that it had not to show', () => {
    const page = pageOf();
    for (const words of ['**Program**', 'Known to the engine as', '## Checks', 'Found: '])
      expect(page).not.toContain(words);
    expect(page).toContain('Engine `fake` in 0.4 s.');
  });
});

describe('the verdict on a terminal', () => {
  it('adds who did it and with which model', () => {
    expect(verdictLines(sampleView({ report: gatedReport() }), PLAIN).slice(0, 6)).toEqual([
      'PASS  r1-string-slugify by case in 0.4 s',
      '      5 of 5 expected tests passed · black box',
      '      changed: strings.py',
      '      case ended by the harness after the committed proof, stage 2, program 0de4aab86512 admitted',
      '      model qwen-local/qwen3.6-35b-a3b admitted, known to the engine as openai/qwen3.6-35b-a3b,',
      '        1,200 requests, 40,000 tokens in, 2,000 tokens out',
    ]);
  });

  it('names the check that refused, what it found and what to do next', () => {
    const report = refusedReport('stage not set', { stage: null, executable: null });
    const events = [refusedGate('stage', 'stage not set', 'STAGE names no stage', 'set STAGE to a stage from 1 to 6')];
    const lines = verdictLines(sampleView({ report, events }), PLAIN);
    expect(lines.slice(1, 4)).toEqual([
      '         stage not set',
      '         check "stage": STAGE names no stage',
      '         next: set STAGE to a stage from 1 to 6',
    ]);
    expect(lines).toContain('         case never started, no program');
  });

  it('says what to do next without a check, and for a code that this version does not know', () => {
    const [meaning, next] = verdictLines(sampleView({ report: refusedReport('interrupted'), events: [] }), PLAIN).slice(
      2,
    );
    expect([meaning, next]).toEqual([
      '         A signal stopped the run. The work of the engine is kept and was not judged.',
      '         next: Run again.',
    ]);
    const later = refusedReport('something new', { blocker_codes: ['of_a_later_version'] });
    expect(verdictLines(sampleView({ report: later, events: [] }), PLAIN)[3]).toMatch(/^ +next: \w/);
  });
});

it('keeps to one line for all checks in the timeline, which the section above it lists', () => {
  const page = pageOf({ report: gatedReport(), events: passedGates(GATES) });
  expect(page).toContain(`8 checks passed: \`${GATES.join(', ')}\`\n`);
  expect(page.match(/gate\.checked/g)).toHaveLength(1);
});
