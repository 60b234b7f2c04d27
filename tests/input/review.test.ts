import { afterAll, describe, expect, it } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { decidedBy } from '../support/decided-by.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

const place = new Place();
afterAll(() => place.remove());

const MARK = 'reads_the_password_file';
const HIDING: readonly (readonly [string, string])[] = [
  ['in a file of over 4 MiB', `{ head -c 6000000 /dev/zero | tr '\\0' '\\n'; echo ${MARK}; } > large.py`],
  [
    'after 16 MiB of other files',
    `for n in 1 2 3 4 5 6; do head -c 3000000 /dev/zero | tr '\\0' '\\n' > a$n.py; done; echo ${MARK} > z.py`,
  ],
  ['in a source with a NUL byte', `printf '# \\000\\n${MARK}\\n' > nul.py`],
  ['in a file that git attributes call binary', `echo '* -diff' > .gitattributes; echo ${MARK} > plain.py`],
];

const task = (review: string): string =>
  `[seatrial]\ntest_command = "sh test.sh"\nallowed_files = ["**"]\nreview = """${review}"""\n`;

async function reviewed(name: string, solve: string, review: string, args: readonly string[] = []) {
  place.task(name, {
    toml: task(review),
    files: { 'answer.txt': 'no\n', 'old.txt': 'old\n' },
    solve: `echo yes > answer.txt\n${solve}\n`,
  });
  return (await place.run(name, [...args])).report;
}

describe('a reviewer', () => {
  it.each(someOf(HIDING))('reads what a change brings %s, in the diff and in the patched tree', async (how, solve) => {
    const name = `hidden-${HIDING.findIndex(([other]) => other === how)}`;
    const report = await reviewed(
      name,
      solve,
      `grep -aq "^+${MARK}" patch.diff && grep -raq "^${MARK}" patched && ! grep -raq "${MARK}" base && exit 1; exit 0`,
    );
    expect(report.review).toMatchObject({ verdict: 'rejected' });
    expect(report.blocker_codes).toEqual(decidedBy('reviewer_rejected'));
  });

  it.each([[[]], [['--confine', 'none']]])('compares both trees, and can change neither: %j', async (args) => {
    const look =
      'diff -rq base patched | sort; for d in base patched; do touch $d/x 2>/dev/null && echo writes $d; done; :';
    const confined = args.length === 0;
    const report = await reviewed(`trees-${args.length}`, 'rm old.txt', confined ? look : look.split(';')[0]!, args);
    expect(report.review).toEqual({
      verdict: 'accepted',
      by: 'command',
      comment: 'Files base/answer.txt and patched/answer.txt differ\nOnly in base: old.txt',
    });
  });

  it('that cannot be shown the whole change gives no review', { timeout: 300_000 }, async () => {
    const report = await reviewed('vast', 'for n in 1 2 3; do head -c 100000000 /dev/zero > f$n; done', 'true');
    expect(report.review).toMatchObject({
      verdict: 'unavailable',
      comment: expect.stringContaining('cannot be shown'),
    });
    expect([report.status, report.blocker_codes]).toEqual(['blocked', decidedBy('review_unavailable')]);
  });
});
