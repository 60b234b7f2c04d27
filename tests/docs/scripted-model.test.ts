import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on the scripted model works as it is written', () => {
  const page = readFileSync(join(PROJECT, 'docs/scripted-model.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}" "$@"\n`;
  writeFileSync(join(bin, 'seatrial'), program);
  chmodSync(join(bin, 'seatrial'), 0o755);
  const script = ['set -e', "trap 'kill %1; wait %1' EXIT", ...blocks].join('\n');
  const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: place.home };
  const output = execFileSync('bash', ['-c', script], { cwd: place.cwd, env, encoding: 'utf8' });
  const [chat = '', ...rest] = output.split('\n').filter((line) => line !== '');
  expect(JSON.parse(chat).choices[0].message.tool_calls[0].function.name).toBe('bash');
  expect(output.match(/"(name|functionCall)": ?"?bash|"name":"bash"/g)?.length).toBeGreaterThanOrEqual(4);
  expect(output).toContain('scripted error');
  expect(output).toContain('Now it works.');
  expect(rest.slice(-6).map((line) => line.split('  ').at(-1))).toEqual([
    ...Array.from({ length: 4 }, () => 'turn 1 of 4'),
    'turn 3 of 4',
    'turn 4 of 4',
  ]);
});
