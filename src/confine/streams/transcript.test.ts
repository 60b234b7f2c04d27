import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { Transcript } from './transcript.ts';

const SECRET = 'hunter2-hunter2-hunter2';

async function transcribe(maxBytes: number, chunks: readonly (readonly ['out' | 'err', string])[]): Promise<string> {
  const transcript = new Transcript(
    maxBytes,
    new Masker(new SecretPatterns([{ name: 'TOKEN', value: Buffer.from(SECRET) }])),
  );
  const streams = { out: new PassThrough(), err: new PassThrough() };
  transcript.listen(streams.out);
  transcript.listen(streams.err);
  for (const [name, text] of chunks) {
    const taken = new Promise((resolve) => streams[name].once('data', resolve));
    streams[name].write(text);
    await taken;
  }
  for (const stream of Object.values(streams)) stream.end();
  await Promise.all(Object.values(streams).map((stream) => finished(stream)));
  return transcript.text();
}

test('output keeps its order between the streams', async () => {
  const text = await transcribe(1024, [
    ['out', 'one....'],
    ['err', 'two....'],
    ['out', 'three'],
  ]);
  expect(text.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
});

test('a secret is masked wherever its output is divided', async () => {
  const before = 'x'.repeat(64 * 1024 - 5);
  for (const at of [1, 4, 5, SECRET.length - 1]) {
    const text = await transcribe(1024 * 1024, [
      ['out', `${before} ${SECRET.slice(0, at)}`],
      ['err', 'beside'],
      ['out', `${SECRET.slice(at)} end`],
    ]);
    expect(text).toContain('[masked: TOKEN] end');
    expect(text).not.toContain('hunter2-h');
  }
});

test('of long output the beginning and the end are kept, and what is left out is counted', async () => {
  const line = `${'y'.repeat(1023)}\n`;
  const text = await transcribe(
    8 * 1024,
    Array.from({ length: 200 }, () => ['out', line] as const),
  );
  expect(Buffer.byteLength(text)).toBeLessThan(10 * 1024);
  expect(text).toMatch(/… \d+ bytes left out …/);
});
