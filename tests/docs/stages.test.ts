import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAYS_ALL } from '../../src/kernel/some-of.fixture.ts';
import { LastingPlace } from '../support/lasting.ts';
import { Place, PROJECT } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const PAGE = 'docs/stages.md';
const granted = (stdout: string): readonly (string | undefined)[] | undefined =>
  stdout.match(/^granted: .* has stage \d/gm)?.map((line) => line.at(-1));

test(
  PLAYS_ALL
    ? 'the fake engine goes the whole way from stage 1 to 6, each refused without its evidence'
    : 'the fake engine goes from stage 1 to a sandbox, each stage refused without its evidence',
  () => {
    const place = new Place();
    try {
      const { stdout, stderr, status } = followPage(place, PAGE, PLAYS_ALL ? {} : { upTo: 'declare_on_tool 5' });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      expect(granted(stdout)).toEqual(PLAYS_ALL ? ['2', '3', '4', '5', '6'] : ['2', '3', '4']);
      expect(stdout.match(/^refused, exit code 2$/gm)).toHaveLength(PLAYS_ALL ? 12 : 4);
      expect(stdout.match(/^ {2}seatrial\/\S+$/gm)).toHaveLength(PLAYS_ALL ? 10 : 5);
      if (!PLAYS_ALL) return;
      expect(stdout).toContain('absent: codex: ');
      expect(stdout).toMatch(/^ {2}stage 6: candidate default$/m);
      expect(stdout.match(/^landed .* on work of /gm)).toHaveLength(1);
      expect(stdout.match(/^verified: .*(?= for )/gm)).toEqual([
        'verified: SEATRIAL_MERGED_TREE_PASSED',
        'verified: SEATRIAL_STAGE_6',
      ]);
    } finally {
      place.remove();
    }
  },
  900_000,
);

test('the simulator of Case goes the whole way, and is compared with the fake engine at stage 6', async ({ skip }) => {
  if (!PLAYS_ALL) skip('takes minutes: `npm run test:all` plays it');
  const place = new LastingPlace();
  const served = place.start(['model', 'serve', '--script', 'case-slugify.json', '--json']);
  try {
    let printed = '';
    served.child.stdout?.on('data', (data: string) => (printed += data));
    await served.shows('"url"');
    mkdirSync(join(place.root, 'case'));
    cpSync(join(PROJECT, 'dist/ca'), join(place.root, 'case/ca'));
    const { stdout, stderr, status } = followPage(place, PAGE, {
      before: 'sh case',
      replaced: {
        '/opt/case': place.seen(join(place.root, 'case')),
        'http://127.0.0.1:8000/v1': JSON.parse(printed).url,
      },
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(granted(stdout)).toEqual(['2', '3', '4', '5', '6']);
    expect(stdout.match(/^refused, exit code 2$/gm)).toHaveLength(12);
    expect(stdout).not.toContain('absent: fake');
  } finally {
    served.child.kill('SIGINT');
    await served.ended;
    place.remove();
  }
}, 1_800_000);
