import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEvent, sampleEvents, sampleReport, sampleView } from './sample-report.fixture.ts';
import { hostileText, viewSaying } from './hostile.fixture.ts';
import { renderHtml } from './html.ts';
import { someRuns } from '../../../kernel/some-of.fixture.ts';

/** Every tag with its attributes, in order: the page's skeleton. Text is what is left. */
function tagsOf(page: string): readonly string[] {
  return page.match(/<[^>]*>?/g) ?? [];
}

function textOf(page: string): string {
  return page
    .replace(/<style>[^]*<\/style>/, '')
    .replace(/<script>[^]*<\/script>/, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

describe('report.html', () => {
  it('says the verdict in words, the task and how to check it', () => {
    const text = textOf(renderHtml(sampleView()));
    expect(text).toContain('Pass r1-string-slugify');
    expect(text).toContain('seatrial verify 20261115T234100Z-r1-string-slugify-4242');
    expect(text).toContain('5 of 5 expected tests passed · black box');
  });

  it('has verdict and proof first, then failing tests, the change, all tests, and only then facts and timeline', () => {
    const tests = { ...sampleReport().tests, expected: ['a'], seen: [{ id: 'a', outcome: 'failed' as const }] };
    const report = sampleReport({ status: 'fail', failure_reason: 'tests failed', proof: null, fixed: [], tests });
    const page = renderHtml(sampleView({ report, testOutputEnd: 'E  assert 2 == 3\n' }));
    const ids = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.slice(0, 6)).toEqual(['proof', 'failing', 'change', 'tests', 'facts', 'asked']);
    expect(ids).toContain('timeline');
    expect(textOf(page)).toContain('E  assert 2 == 3');
    const passed = renderHtml(sampleView());
    expect(passed).not.toContain('id="failing"');
  });

  it('warns above the reason where nothing confined the run', () => {
    const { confinement } = sampleReport();
    if (confinement === null) throw new Error('the sample has a confinement');
    const page = renderHtml(sampleView({ report: sampleReport({ confinement: { ...confinement, kind: 'none' } }) }));
    expect(textOf(page)).toContain('Unconfined: engine and tests ran without a sandbox');
    expect(renderHtml(sampleView())).not.toContain('Unconfined:');
  });

  it('allows one script by its digest and no network, by a policy before anything that loads', () => {
    const page = renderHtml(sampleView());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(1);
    const digest = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64');
    expect(policy?.startsWith(`default-src 'none'; script-src 'sha256-${digest}'; style-src`)).toBe(true);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page.split('<script')).toHaveLength(2);
    expect(page).not.toMatch(/<link|@import|url\(|https?:/i);
    expect(scripts[0]).not.toMatch(/innerHTML|insertAdjacent|eval|document\.write|fetch|XMLHttp|import\(/);
  });

  it('names all blockers with an explanation, the deciding one once', () => {
    const blockers = ['no diff produced', 'tests failed', 'dirty ending tree'];
    const text = textOf(
      renderHtml(sampleView({ report: sampleReport({ status: 'fail', failure_reason: 'tests failed', blockers }) })),
    );
    for (const reason of blockers) expect(text.split(reason)).toHaveLength(2);
    expect(text.indexOf('tests failed')).toBeLessThan(text.indexOf('no diff produced'));
    expect(text).toContain('left the workspace unchanged');
  });

  it('marks what an engine says as a claim, and what the harness recorded not', () => {
    const events = [
      sampleEvent(0, 'engine.message', { text: 'all done' }, 'engine'),
      sampleEvent(5, 'patch.applied', { files: [] }),
    ];
    const page = renderHtml(sampleView({ events }));
    expect(page).toMatch(/claim<\/b>[^\n]*all done/);
    expect(page.match(/class="claim"/g)).toHaveLength(1);
    expect(page).toMatch(/<div class="said">all done<\/div>/);
    expect(textOf(page)).toContain('These are claims and decide nothing');
    expect(page).toMatch(/harness<\/b>[^\n]*patch.applied/);
  });

  it('gives no text from outside a way to become a tag, an attribute or a policy', () => {
    // A name of a plain shape may be linked; the reference text is one that is not.
    const skeleton = tagsOf(renderHtml(viewSaying('x y')));
    fc.assert(
      fc.property(hostileText, (text) => {
        const tags = tagsOf(renderHtml(viewSaying(`x y${text}`)));
        expect(tags).toEqual(skeleton);
      }),
      { numRuns: someRuns(150) },
    );
  });

  it('gives an arbitrary patch, log and instruction no way to become markup either', () => {
    const nameOf = (tag: string): string => /^<\/?[a-z!0-9]*/.exec(tag)?.[0] ?? '';
    const known = new Set([...tagsOf(renderHtml(sampleView())).map(nameOf), '<small', '</small']);
    const foreign = (tag: string): boolean => !known.has(nameOf(tag)) || /\son[a-z]+=|javascript:/i.test(tag);
    fc.assert(
      fc.property(hostileText, hostileText, (a, b) => {
        const patch = `diff --git a/${a} b/${a}\n@@ -1,9 +1,9 @@\n+${b}\n-${a}\n${b}`;
        const page = renderHtml(sampleView({ patch, testLog: a + b, instruction: b + a }));
        expect(tagsOf(page).filter(foreign)).toEqual([]);
      }),
      { numRuns: someRuns(150) },
    );
  });

  it('shows no control, escape, reordering or invisible character as itself', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(renderHtml(viewSaying(text))).not.toMatch(
          /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u,
        );
      }),
      { numRuns: someRuns(100) },
    );
  });

  it('links files of the bundle only, never scripts, pages or paths out of it', () => {
    const artifacts = {
      a: 'backend/stdout.log',
      b: 'javascript:alert(1)',
      c: '../../secret.json',
      d: '/etc/x.txt',
      e: 'page.html',
      f: '//host/x.json',
    };
    const page = renderHtml(sampleView({ report: sampleReport({ artifacts }) }));
    const targets = [...page.matchAll(/href="([^"]*)"/g)]
      .map((match) => match[1])
      .filter((target) => !target?.startsWith('#'));
    expect(targets).toContain('backend/stdout.log');
    for (const target of targets) expect(target).toMatch(/^[a-z][\w./-]*\.(json|jsonl|diff|log)$/);
  });

  it('stays small when diff, log and timeline are huge, and says where the rest is', () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `+row ${index}`);
    const patch = `diff --git a/big b/big\n--- /dev/null\n+++ b/big\n@@ -0,0 +1,60000 @@\n${lines.join('\n')}\n`;
    const chatter = lines.map((text, index) =>
      sampleEvent(500 + index, 'engine.message', { text: text.repeat(200) }, 'engine'),
    );
    const page = renderHtml(sampleView({ patch, testLog: lines.join('\n'), events: [...sampleEvents(), ...chatter] }));
    expect(page.length).toBeLessThan(2_000_000);
    const text = textOf(page);
    expect(text).toContain('All of it is in patch.diff');
    expect(text).toContain('All of it is in test.log');
    expect(text).toContain('events not shown here: see events.normalized.jsonl');
    expect(text).toContain('59,601 more in this turn: see events.normalized.jsonl');
    expect(text).toContain('58500 more lines not shown here');
    expect(text).toContain('run.completed');
  });
});
