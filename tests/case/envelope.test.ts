import { describe, expect, it } from 'vitest';
import { benchOf, GOOD_STORY, implementerEnd } from '../support/case-stories.ts';
import { PROGRAMS } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { play } = benchOf(program);

  describe('which words are the result', () => {
    const result = (status: string, rest: object = {}): string =>
      `<<<AGENT_RESULT\n${JSON.stringify({ status, ...rest })}\nAGENT_RESULT>>>`;

    it.each([
      [
        'the last of several',
        `${result('failed')} then ${result('completed', { summary: 'last' })}`,
        'completed',
        null,
      ],
      [
        'one that is not closed',
        `${result('completed')} <<<AGENT_RESULT {}`,
        'failed',
        'AGENT_RESULT end delimiter not found',
      ],
      [
        'one without a status',
        '<<<AGENT_RESULT {} AGENT_RESULT>>>',
        'failed',
        'AGENT_RESULT missing required field: status',
      ],
      ['one with another status', result('fine'), 'failed', 'AGENT_RESULT invalid status: fine'],
      ['no object', '<<<AGENT_RESULT 7 AGENT_RESULT>>>', 'failed', 'AGENT_RESULT is not a JSON object'],
      [
        'no JSON',
        '<<<AGENT_RESULT {a} AGENT_RESULT>>>',
        'failed',
        expect.stringMatching(/^AGENT_RESULT JSON parse error: /),
      ],
      ['one that is blocked', result('blocked', { error: 'cannot' }), 'blocked', 'cannot'],
      [
        'one whose artifacts are odd',
        result('completed', { artifacts: { commit: 7, filesChanged: 'x' } }),
        'completed',
        null,
      ],
    ] as const)('%s', async (_name, text, status, error) => {
      const played = await play({ turns: [{ text }] });
      expect(implementerEnd(played).result).toMatchObject({
        status,
        error,
        artifacts: { commit: null, filesChanged: [] },
      });
    });

    it('is looked for in all that an agent said', async () => {
      const call = { name: 'bash', arguments: { command: 'true' } };
      const { story } = await play({ turns: [{ text: result('completed'), tool_calls: [call] }, { text: 'bye' }] });
      expect(story).toEqual(GOOD_STORY);
    });
  });
});
