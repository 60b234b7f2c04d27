import fc from 'fast-check';
import { sampleEvent, sampleReport, sampleView } from './sample-report.fixture.ts';
import type { ReportView } from './view.ts';

const FRAGMENTS = [
  '<script>alert(1)</script>',
  '</style><img src=x onerror=alert(1)>',
  '"><a href="javascript:alert(1)">',
  "' onload='x",
  '-->',
  ']]>',
  '&lt;',
  '</code></pre></title>',
  '`',
  '```',
  '````\n# heading',
  '\n\n# heading\n',
  '\n- item\n',
  '[text](http://evil.example)',
  '![x](y)',
  'http://evil.example',
  'www.evil.example',
  'a@evil.example',
  '| a | b |',
  '\\',
  '\\`',
  '~~~',
  '> quote',
  '\r\n',
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u202egnp.exe',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ud800',
  '\u0000',
  '\u{e0041}',
  '  ',
  '\t',
];

/** Text as an attacker writes it: all kinds of markup, escapes, bidirectional controls, and plain noise in between. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string({ unit: 'binary' })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

/** A view of fixed shape in which every text from outside is `text`. */
export function viewSaying(text: string): ReportView {
  const report = sampleReport();
  return sampleView({
    report: sampleReport({
      run_id: text,
      run_dir: text,
      task: text,
      status: 'fail',
      failure_reason: `first ${text}`,
      blockers: [`second ${text}`],
      markers: [`m${text}`],
      backend: `x${text}`,
      mutation: text,
      changed_files: [`f${text}`, 'other'],
      tests: {
        ...report.tests,
        command: text,
        note: text,
        expected: ['e'],
        seen: [{ id: `s${text}`, outcome: 'failed' }],
      },
      missing_events: [text],
      executable: { path: text, sha256: report.patch.sha256, source_commit: text, admission_status: 'admitted' },
      model: {
        provider: text,
        name: text,
        runtime_provider: `r${text}`,
        admission_status: 'admitted',
        observed: [`o${text}`],
      },
      confinement: {
        kind: 'none',
        network: 'host',
        probe_passed: false,
        limits: {},
        not_enforced: [text],
        read_only: [text],
      },
      baseline: {
        kind: 'before',
        run_id: text,
        status: 'fail',
        paths: { [`p${text}`]: `q${text}` },
        comparison: {
          same_status: false,
          same_patch: false,
          changed_files: { [`c${text}`]: [text] },
          tests: {
            fixed: [text],
            still_passing: [text],
            newly_failing: [text],
            no_longer_reported: [text],
            still_failing: [text],
          },
        },
      },
      artifacts: { [`k${text}`]: `v${text}` },
      digests: { [`d${text}`]: report.patch.sha256 },
      approvals: [{ id: text, action: text, decision: 'denied', by: text, how: text, at: report.run_started_at }],
      review: { verdict: 'rejected', by: text, comment: `c${text}` },
      toolchain: [{ name: text, path: text, version: text, sha256: report.patch.sha256 }],
    }),
    events: [
      sampleEvent(0, 'engine.message', { text: `e${text}` }, 'engine'),
      sampleEvent(1, 'engine.claim', { commit: text, text }, 'engine'),
      sampleEvent(2, 'engine.tool', { name: text, detail: text }, 'engine'),
      sampleEvent(
        2,
        'engine.tool',
        { name: text, detail: JSON.stringify({ [text]: text, command: text }), id: '7' },
        'engine',
      ),
      sampleEvent(2, 'engine.edit', { path: text }, 'engine'),
      sampleEvent(2, 'engine.tool_result', { id: '7', ok: false, detail: `r${text}` }, 'engine'),
      sampleEvent(2, 'engine.tool_result', { id: text, ok: true, detail: `r${text}` }, 'engine'),
      sampleEvent(2, 'gate.checked', { gate: text, passed: true, reason: null, detail: `p${text}` }),
      sampleEvent(2, 'gate.checked', { gate: text, passed: false, reason: `second ${text}`, detail: `d${text}` }),
      ...Array.from({ length: 9 }, () =>
        sampleEvent(3, 'model.request', { provider: text, model: text, http_status: 200 }),
      ),
      sampleEvent(4, 'model.refused', { provider: text, model: text, reason: text }),
      sampleEvent(5, 'provider.unavailable', { detail: text }),
    ],
    instruction: `i${text}`,
    patch: `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+${text.replaceAll('\n', ' ')}\n`,
    testLog: `t${text}`,
  });
}
