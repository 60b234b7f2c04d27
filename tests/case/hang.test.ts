import { describe, expect, it } from 'vitest';
import { SLUGIFY_SCRIPTS } from '../../src/engines/case/self-test/slugify.ts';
import { benchOf } from '../support/case-stories.ts';
import { PROGRAMS } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { take } = benchOf(program);

  describe('when something hangs', () => {
    it.each([
      ['hangs', 'status_changed active implementing', 1],
      ['commits, then hangs', 'tool_end implement bash', 2],
      ['commits, then the verifier hangs', 'status_changed active verifying', 2],
      ['commits, then the closer hangs', 'status_changed evaluating closing', 2],
    ] as const)('%s: waits, with no end in its log', async (script, last, commits) => {
      const bench = await take(script);
      const { code, story } = await bench.runUntil(() => bench.last === last);
      expect(code).toBe(null);
      expect(story.filter((line) => line.startsWith('pipeline_end'))).toEqual([]);
      expect(bench.git('rev-list', '--count', 'HEAD')).toBe(String(commits));
    });

    it('goes on where the same task was broken off', async () => {
      const bench = await take({
        turns: [{ when: '# Verifier — ', times: 1, fault: 'hang' }, ...SLUGIFY_SCRIPTS.commits.turns],
      });
      const asked = ['Implementer', 'Implementer', 'Implementer', 'Verifier'];
      await bench.runUntil(() => bench.model.requests.length === asked.length);
      const played = await bench.start({}).ended;
      expect(played.code).toBe(0);
      expect(played.agents).toEqual([...asked, 'Verifier', 'Reviewer', 'Closer', 'Retrospective']);
      expect(played.story.filter((line) => line === 'pipeline_start').length).toBe(1);
    });
  });
});
