import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LastingPlace } from '../support/lasting.ts';
import { Place, PROJECT } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const PAGE = 'docs/stages.md';
const granted = (stdout: string): readonly (string | undefined)[] | undefined =>
  stdout.match(/^granted: .* has stage \d/gm)?.map((line) => line.at(-1));

test('the fake engine goes the whole way from stage 1 to 6, each refused without its evidence', () => {
  const place = new Place();
  try {
    const { stdout, stderr, status } = followPage(place, PAGE);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(granted(stdout)).toEqual(['2', '3', '4', '5', '6']);
    expect(stdout.match(/^refused, exit code 2$/gm)).toHaveLength(12);
    expect(stdout.match(/^ {2}seatrial\/\S+$/gm)).toHaveLength(10);
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
}, 900_000);

const wholeWay = process.env['SEATRIAL_TESTS'] === 'all';

test(
  wholeWay
    ? 'the simulator of Case goes the whole way, and is compared with the fake engine at stage 6'
    : 'the simulator of Case goes from its checks to a copied repository',
  async () => {
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
        ...(wholeWay ? {} : { upTo: 'declare_on_tool 4' }),
        replaced: {
          '/opt/case': place.seen(join(place.root, 'case')),
          'http://127.0.0.1:8000/v1': JSON.parse(printed).url,
        },
      });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      expect(granted(stdout)).toEqual(wholeWay ? ['2', '3', '4', '5', '6'] : ['2', '3']);
      expect(stdout.match(/^refused, exit code 2$/gm)).toHaveLength(wholeWay ? 12 : 4);
      expect(stdout).not.toContain('absent: fake');
    } finally {
      served.child.kill('SIGINT');
      await served.ended;
      place.remove();
    }
  },
  1_800_000,
);
