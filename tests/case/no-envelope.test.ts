import { describe, expect, it } from 'vitest';
import { benchOf, FAILED, FAILED_STORY, GOOD_STORY, implementerEnd, NO_ENVELOPE } from '../support/case-stories.ts';
import { PROGRAMS, type Setting } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { play } = benchOf(program);

  describe('when no envelope comes', () => {
    it.each([
      ['answers without an envelope', 3],
      ['only thinks', 3],
      ['says nothing', 3],
      ['sends events that are not JSON', 3],
      ['breaks off', 3],
      ['is out of order', 9],
    ] as const)('%s: one retry, the same message, exit 0', async (script, requests) => {
      const played = await play(script);
      expect(played).toMatchObject({ code: 0, story: FAILED_STORY });
      expect(played.said).toEqual([
        '[implement] starting implementer...',
        'Auto-selecting: Abort',
        '[implement] implementer FAILED',
        '[retrospective] starting retrospective...',
        '[retrospective] retrospective done',
        FAILED,
      ]);
      // Case's HTTP client may repeat a request whose answer breaks off; that depends on the runtime it was built with.
      const repeated = script === 'breaks off' ? played.agents.length - requests : 0;
      expect(played.agents.length).toBe(requests + Math.max(0, repeated));
      expect(implementerEnd(played).result).toMatchObject({ status: 'failed', error: NO_ENVELOPE });
      const lines = played.stderr.split('\n').filter((line) => line.includes('"phase":"implement"'));
      expect(
        lines.map((line) => JSON.parse(line)).map(({ status, error, failureClass }) => [status, error ?? failureClass]),
      ).toEqual([
        ['started', undefined],
        ['failed', NO_ENVELOPE],
        ['retrying', 'agent-protocol-error'],
        ['retry-failed', NO_ENVELOPE],
        ['aborted', undefined],
      ]);
    });

    it('does the work twice if it was done, and fails all the same', async () => {
      const { story, bench } = await play('commits, without an envelope');
      expect(story).toEqual(FAILED_STORY);
      expect(bench.read('strings.py')).toContain('unicodedata');
    });

    it.each([
      ['no key', { env: { OPENAI_API_KEY: undefined } }],
      ['a provider it does not know', { provider: 'qwen-local' }],
      [
        'another address in the environment',
        { env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } },
      ],
      ['a codex model', { config: '{"models":{"default":{"provider":"openai-codex","model":"gpt-5.4"}}}' }],
    ] satisfies [string, Setting][])('sends nothing with %s, and says the same', async (_name, setting) => {
      const played = await play('commits', setting);
      expect(played).toMatchObject({ code: 0, story: FAILED_STORY, agents: [] });
      expect(implementerEnd(played).result.error).toBe(NO_ENVELOPE);
      expect(played.stderr).not.toContain('API key');
    });

    it('gives an implementer that has learnt a second chance', async () => {
      const result = (status: string): string => `<<<AGENT_RESULT\n{"status":"${status}"}\nAGENT_RESULT>>>`;
      const turns = [
        { when: 'RETRY CONTEXT', text: result('completed') },
        { when: '# Implementer — ', text: 'x' },
      ];
      const { story, stderr } = await play({ turns: [...turns, { text: result('completed') }] });
      expect(story).toEqual(GOOD_STORY);
      expect(stderr).toContain('"retry-succeeded"');
    });
  });
});
