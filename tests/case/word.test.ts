import { describe, expect, it } from 'vitest';
import { benchOf, completed, DONE, GOOD_STORY, implementerEnd } from '../support/case-stories.ts';
import { PROGRAMS } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { play } = benchOf(program);

  describe('its word is not evidence', () => {
    it.each([
      ['lies', 0],
      ['edits without a commit', 0],
      ['claims another commit', 1],
    ] as const)('%s: says it is completed', async (script, commits) => {
      const played = await play(script);
      expect(played).toMatchObject({ code: 0, story: GOOD_STORY });
      expect(played.said.at(-1)).toBe(DONE);
      expect(implementerEnd(played).result.artifacts.commit).toBe('0123456789'.repeat(4));
      expect(played.bench.git('rev-list', '--count', 'HEAD')).toBe(String(1 + commits));
    });

    it('says so too when the commit failed', async () => {
      const env = { GIT_AUTHOR_EMAIL: '', GIT_COMMITTER_EMAIL: '', GIT_AUTHOR_NAME: '', GIT_COMMITTER_NAME: '' };
      const { code, story, bench } = await play('commits', { env });
      expect([code, story]).toEqual([0, GOOD_STORY]);
      expect(bench.git('rev-list', '--count', 'HEAD')).toBe('1');
    });

    it('goes on with warnings when the verifier never agrees', async () => {
      const { code, said, story } = await play('commits, but the verifier never agrees');
      expect(code).toBe(0);
      expect(said.filter((line) => /Revision|Pipeline/.test(line))).toEqual([
        'Revision cycle 1: verifier found fixable issues, re-implementing',
        'Revision cycle 2: verifier found fixable issues, re-implementing',
        'Revision budget exhausted after cycle 2. verifier found issues but no revision cycles remain. Proceeding with warnings.',
        DONE,
      ]);
      expect(story).toEqual([
        'pipeline_start',
        ...['implement', 'verify'].flatMap(completed),
        'revision_requested verifier 1',
        ...['implement', 'verify'].flatMap(completed),
        'revision_requested verifier 2',
        ...['implement', 'verify'].flatMap(completed),
        'revision_budget_exhausted',
        ...['review', 'close', 'retrospective'].flatMap(completed),
        'pipeline_end completed',
      ]);
    });

    it('closes all the same when the reviewer never agrees, and then calls it failed', async () => {
      const { code, said, story } = await play('commits, but the reviewer never agrees');
      expect([code, said.at(-1)]).toEqual([0, 'Pipeline failed at reviewer phase.']);
      expect(said.filter((line) => line === 'Auto-selecting: Abort').length).toBe(3);
      expect(story.slice(-5)).toEqual([
        ...completed('close'),
        ...completed('retrospective'),
        'pipeline_end failed reviewer',
      ]);
    });
  });
});
