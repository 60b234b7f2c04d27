import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SLUGIFY_SCRIPTS } from '../../src/engines/case/self-test/slugify.ts';
import { LastingPlace } from '../support/lasting.ts';
import { PROJECT, type Running } from '../support/seatrial.ts';

const page = (name: string): string => readFileSync(join(PROJECT, 'docs', name), 'utf8');
const COMMAND = `"${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}"`;

let place: LastingPlace;
let served: Running;
let url: string;

beforeAll(async () => {
  place = new LastingPlace();
  mkdirSync(join(place.root, 'case'));
  cpSync(join(PROJECT, 'dist/ca'), join(place.root, 'case/ca'));
  // By its name, from a directory that has no such file.
  served = place.start(['model', 'serve', '--script', 'case-slugify.json', '--json']);
  let printed = '';
  served.child.stdout?.on('data', (data: string) => (printed += data));
  await served.shows('"url"');
  url = JSON.parse(printed).url;
});
afterAll(async () => {
  served.child.kill('SIGINT');
  await served.ended;
  place.remove();
});

/** Runs the commands of a page one after the other, in a new directory outside every temporary one. */
function execute(dir: string, lines: string) {
  const script = lines
    .replaceAll('/opt/case', place.seen(join(place.root, 'case')))
    .replaceAll('http://127.0.0.1:8000/v1', url);
  mkdirSync(join(place.cwd, dir));
  return place.shell(`cd ${dir} && seatrial() { ${COMMAND} "$@"; }\nset -e\n${script}`);
}

test('the script that ships for Case is the one that the checks use', () => {
  const shipped = JSON.parse(readFileSync(join(PROJECT, 'examples/models/case-slugify.json'), 'utf8'));
  expect(shipped).toEqual(JSON.parse(JSON.stringify(SLUGIFY_SCRIPTS.commits)));
});

test('the commands of docs/case.md work one after the other', { timeout: 400_000 }, async () => {
  const blocks = [...page('case.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(2);
  const { code, stdout, stderr } = await execute('case', blocks.join('\n'));
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^case +not eligible: 2 obstacles$/m);
  expect(stdout).toMatch(/^earned {3}stage 1 for this program/m);
  expect(stdout.match(/^PASS {2}r1-string-slugify by case/gm)).toHaveLength(2);
});

test('the commands of docs/admission.md work one after the other', async () => {
  const [, shown = ''] = /^## Admit\n```\n([\s\S]*?)^```$/m.exec(page('admission.md')) ?? [];
  const commands = [...shown.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(4);
  const { code, stdout, stderr } = await execute('admission', commands.join('\n'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const said = (text: string): string[] =>
    [...text.matchAll(/^(admitted \w+|KIND|executable|model|source)\b/gm)].map(([all]) => all);
  expect(said(stdout)).toEqual(said(shown));
});
