import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchOf, DONE, GOOD_STORY, implementerEnd } from '../support/case-stories.ts';
import { type Json, KEY, PROGRAMS } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { play } = benchOf(program);

  describe('when the model does its work', () => {
    it('goes through all phases and shows the claimed commit in its event log', async () => {
      const played = await play('commits');
      const { bench } = played;
      const head = bench.git('rev-parse', 'HEAD');
      expect(played).toMatchObject({ code: 0, story: GOOD_STORY });
      expect(played.said).toEqual([
        '[implement] starting implementer...',
        '  ... still running',
        '  ... still running',
        '[implement] implementer done',
        '[verify] starting verifier...',
        '[verify] verifier done',
        '[review] starting reviewer...',
        '[review] reviewer done',
        '[close] starting closer...',
        '[close] closer done',
        '[retrospective] starting retrospective...',
        '[retrospective] retrospective done',
        DONE,
      ]);
      expect(played.agents).toEqual([
        'Implementer',
        'Implementer',
        'Implementer',
        'Verifier',
        'Reviewer',
        'Closer',
        'Retrospective',
      ]);
      expect(implementerEnd(played)).toEqual({
        event: 'phase_end',
        phase: 'implement',
        agent: 'implementer',
        outcome: 'completed',
        durationMs: expect.any(Number),
        result: {
          status: 'completed',
          summary: expect.stringContaining('slugify'),
          artifacts: {
            commit: head,
            filesChanged: ['strings.py'],
            testsPassed: true,
            screenshotUrls: [],
            evidenceMarkers: [],
            prUrl: null,
            prNumber: null,
          },
          error: null,
        },
        ts: expect.stringMatching(/^\d{4}-.*Z$/),
        sequence: expect.any(Number),
        runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(bench.git('log', '--format=%s', '-1')).toContain('stray hyphens');
      expect(played.events.map(({ sequence }) => sequence)).toEqual(played.events.map((_event, index) => index + 1));
    });

    it('leaves its own files in the work tree, and the task with another status', async () => {
      const { bench } = await play('commits');
      expect(bench.git('status', '--porcelain')).toBe('?? .case/');
      const left = ['plan.json', 'tested', 'reviewed', '../run-log.jsonl'].map((name) => `repo/.case/slug-1/${name}`);
      const files = [...left, 'data/pi-agent/auth.json', 'data/pi-package/package.json'];
      expect(files.filter((name) => !existsSync(join(bench.root, name)))).toEqual([]);
      expect(bench.taskFile).toMatchObject({
        status: 'pr-opened',
        tested: true,
        agents: { closer: { status: 'completed' } },
      });
    });

    it('asks over OpenAI chat-completions, streamed, with the key from the environment', async () => {
      const { events, bench } = await play('commits');
      const [first, second]: Json[] = bench.model.requests.map(({ body }) => body);
      expect(Object.keys(first)).toEqual([
        'model',
        'messages',
        'stream',
        'stream_options',
        'store',
        'max_completion_tokens',
        'tools',
      ]);
      expect(first).toMatchObject({ model: 'scripted', stream: true, store: false, max_completion_tokens: 4096 });
      expect(bench.model.requests[0]).toMatchObject({
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}` },
      });
      const [system, user] = first.messages;
      expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('<<<AGENT_RESULT') });
      expect(user.content[0].text).toContain(`- **Task file**: \`${bench.task.replace('.task.json', '.md')}\``);
      const toolsOf = bench.model.requests.map(({ body }: Json) =>
        body.tools.map(({ function: { name } }: Json) => name),
      );
      const [all, some] = [
        ['read', 'write', 'edit', 'bash'],
        ['read', 'bash'],
      ];
      expect(toolsOf.slice(2)).toEqual([all, some, some, some, all]);
      const [call] = second.messages[2].tool_calls;
      expect(second.messages[3]).toEqual({
        role: 'tool',
        content: expect.stringMatching(/^Successfully wrote \d+ bytes to strings.py$/),
        tool_call_id: call.id,
      });
      const tools = events.filter(({ event }) => event.startsWith('tool_'));
      expect(tools.map(({ event, tool, isError }) => [event, tool, isError])).toEqual([
        ['tool_start', 'write', undefined],
        ['tool_end', 'write', false],
        ['tool_start', 'bash', undefined],
        ['tool_end', 'bash', false],
      ]);
    });

    it('moves the status along', async () => {
      const { events } = await play('commits');
      const statuses = events.filter(({ event }) => event === 'status_changed').map(({ from, to }) => `${from} ${to}`);
      expect(statuses).toEqual([
        'active implementing',
        'implementing active',
        'active verifying',
        'verifying active',
        'active reviewing',
        'reviewing evaluating',
        'evaluating closing',
        'closing pr-opened',
      ]);
    });

    it('leaves out the verifier for tiny tasks', async () => {
      const { code, agents } = await play('commits', { task: { profile: 'tiny' } });
      expect([code, agents.slice(3)]).toEqual([0, ['Reviewer', 'Closer', 'Retrospective']]);
    });

    it('is not disturbed by reasoning before the answer', async () => {
      expect(await play('comes to its answer late')).toMatchObject({ code: 0, story: GOOD_STORY });
    });
  });
});
