import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { appendProtocolFile, checkInbox, readProtocolFile, replaceProtocolFile } from './inbox.ts';

test.each([
  ['as it was', ['a\n', 'b\n'], 'a\nb\n', null, null],
  ['appended to', ['a\n'], 'a\nb\n', 'b\n', null],
  ['emptied', ['a\n', 'b\n'], '', null, 'a\nb\n'],
  ['cut off', ['a\n', 'b\n'], 'a\n', null, 'a\nb\n'],
  ['written over', ['a\n'], 'x\n', 'x\n', 'a\nx\n'],
])('an inbox that was %s', (_what, journalled, content, received, restored) => {
  expect(checkInbox(journalled, content)).toEqual({ received, restored });
});

test('whatever is done to an inbox, all that was journalled is in it afterwards', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (journalled, content) => {
      const { received, restored } = checkInbox(journalled, content);
      const after = restored ?? content;
      expect(after.startsWith(journalled.join(''))).toBe(true);
      const now = received === null ? journalled : [...journalled, received];
      expect(checkInbox(now, after)).toEqual({ received: null, restored: null });
    }),
  );
});

test('what is not a plain file is empty to the watchdog, and is replaced: a link, a pipe and a directory', () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-inbox-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const secret = join(dir, 'secret');
  writeFileSync(secret, 'not for this agent\n');
  symlinkSync(secret, join(dir, 'link'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  mkdirSync(join(dir, 'directory/full'), { recursive: true });
  for (const name of ['link', 'pipe', 'directory']) {
    const path = join(dir, name);
    expect(readProtocolFile(path)).toBe('');
    expect(appendProtocolFile(path, 'more\n')).toBe(false);
    replaceProtocolFile(path, 'restored\n');
    expect(appendProtocolFile(path, 'more\n')).toBe(true);
    expect(readProtocolFile(path)).toBe('restored\nmore\n');
  }
  expect(readFileSync(secret, 'utf8')).toBe('not for this agent\n');
});
