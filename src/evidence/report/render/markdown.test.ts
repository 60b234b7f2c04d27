import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleReport, sampleView } from './sample-report.fixture.ts';
import { hostileText, viewSaying } from './hostile.fixture.ts';
import { renderMarkdown } from './markdown.ts';
import { someRuns } from '../../../kernel/some-of.fixture.ts';

/** What a CommonMark reader still gives a meaning to, once fenced blocks and code spans are taken out. */
function markupOf(markdown: string): string {
  const kept: string[] = [];
  let closing: RegExp | null = null;
  for (const line of markdown.split('\n')) {
    const opening: RegExpExecArray | null = /^(`{3,})[^`]*$/.exec(line);
    if (closing !== null) closing = closing.test(line) ? null : closing;
    else if (opening !== null) closing = new RegExp(`^ {0,3}\`{${opening[1]?.length},}[ \\t]*$`);
    else kept.push(line.replace(/(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)/g, 'CODE'));
  }
  expect(closing).toBeNull();
  return kept.join('\n');
}

describe('report.md', () => {
  it('opens with the verdict and the task, then the reason and every further blocker', () => {
    const report = sampleReport({
      status: 'blocked',
      failure_reason: 'dirty starting tree',
      blockers: ['dirty starting tree', 'stage not set'],
    });
    const [title, , ...rest] = renderMarkdown(sampleView({ report })).split('\n');
    expect(title).toBe('# Blocked: `r1-string-slugify`');
    expect(rest.join('\n')).toContain('**Reason**: `dirty starting tree`. The workspace had changes');
    expect(rest.join('\n')).toContain('- `stage not set`. ');
  });

  it('marks a limit that could not be enforced where it states it', () => {
    const markdown = renderMarkdown(sampleView());
    expect(markdown).toContain('- **Limit: memory**: 4 GiB, not enforced\n');
    expect(markdown).toContain('- **Limit: disk**: 1 GiB\n');
  });

  it('shows the diff and the log verbatim', () => {
    const markdown = renderMarkdown(sampleView());
    expect(markdown).toContain('\n-    return text.lower().replace(" ", "-")\n');
    expect(markdown).toContain('\n5 passed in 0.02s\n');
  });

  it('gives no text from outside a way to become a heading, list, link, tag or mention', () => {
    // Labels from the harness's own vocabulary are escaped words; everything else is code.
    const inCode = (text: string): string => {
      const view = viewSaying(text);
      const report = { ...view.report, artifacts: {}, digests: {}, toolchain: [] };
      return markupOf(renderMarkdown({ ...view, report }));
    };
    const skeleton = inCode('x');
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(inCode(`x${text}`)).toBe(skeleton);
      }),
      { numRuns: someRuns(300) },
    );
  });

  it('escapes labels so that they stay one line of plain words', () => {
    const report = sampleReport({ artifacts: { '<b>x</b>\n# heading [a](b)': 'test.log' } });
    const lines = renderMarkdown(sampleView({ report })).split('\n');
    expect(lines).toContain('- **\\<b\\>x\\</b\\>‹LF›\\# heading \\[a\\](b)**: `test.log`');
  });

  it('keeps a log within its fence whatever backticks it prints', () => {
    const markdown = renderMarkdown(sampleView({ testLog: '```\n````\n# not a heading\n' }));
    expect(markdown).toContain('`````text\n```\n````\n# not a heading\n`````');
  });
});
