import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../hostile.fixture.ts';
import { safeLine, safeText } from './safe-text.ts';

describe('text from outside', () => {
  it('shows escapes, reordering marks and hidden characters by name', () => {
    expect(safeLine('a\u001b[31mb\r\n')).toBe('a‹ESC›[31mb‹CR›‹LF›');
    expect(safeLine('\u202etxt.exe\u200b')).toBe('‹U+202E›txt.exe‹U+200B›');
    expect(safeLine('\u009b\u007f\ud800')).toBe('‹U+009B›‹DEL›‹U+D800›');
  });

  it('leaves ordinary text of any language alone', () => {
    for (const text of ['naïve café', 'Ελληνικά', 'שלום', '日本語', '✔️ done', '🎉']) expect(safeLine(text)).toBe(text);
  });

  it('keeps line feeds and tabs where many lines are shown, and only there', () => {
    expect(safeText('a\tb\nc\r')).toBe('a\tb\nc‹CR›');
    expect(safeLine('a\tb\nc')).toBe('a‹TAB›b‹LF›c');
  });

  it('is its own fixed point, so that applying it twice changes nothing', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(safeLine(safeLine(text))).toBe(safeLine(text));
        expect(safeLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
