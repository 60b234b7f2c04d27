import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile, writeWhole } from './durable.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-durable-'));
  file = join(dir, 'record.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.each([
  ['writeWhole', writeWhole],
  ['replaceFile', replaceFile],
])('%s', (_name, write) => {
  test('leaves alone what another process is writing for the same file', () => {
    const theirs = join(dir, `record.json.${process.pid + 1}.tmp`);
    writeFileSync(theirs, 'half a rec');
    write(file, Buffer.from('mine'));
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readFileSync(theirs, 'utf8')).toBe('half a rec');
  });

  test('writes through no link that lies where it writes first', () => {
    const outside = join(dir, 'outside');
    symlinkSync(outside, join(dir, `record.json.${process.pid}.tmp`));
    expect(() => write(file, Buffer.from('mine'))).toThrow('symbolic link');
    expect(existsSync(outside)).toBe(false);
  });

  test('keeps the old content and leaves nothing beside it when it fails', () => {
    const missing = join(dir, 'missing', 'record.json');
    expect(() => write(missing, Buffer.from('mine'))).toThrow('ENOENT');
    expect(readdirSync(dir)).toEqual([]);
  });
});
