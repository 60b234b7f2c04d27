import { describe, expect, it } from 'vitest';
import { benchOf, DONE, FAILED_STORY } from '../support/case-stories.ts';
import { PROGRAMS, type Setting } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { take, play } = benchOf(program);

  describe('what it cannot start with', () => {
    it.each([
      ['no settings', { config: null }, 'Fatal: projects.json not found. Looked in:\n  (no configured projects path)'],
      ['a repository nobody told it of', { task: { repo: 'other' } }, 'Fatal: Repo "other" not found in projects.json'],
      [
        'a model nobody told it of',
        { config: '{"models":{"default":{"provider":"openai","model":"none"}}}' },
        'Fatal: Model not found: openai/none. Check ~/.config/case/config.json',
      ],
      [
        'no task',
        { args: ['run', '--task', '/nowhere', '--mode', 'unattended'] },
        'Error: task file not found: /nowhere',
      ],
    ] satisfies [string, Setting, string][])('%s: exit 1', async (_name, setting, fault) => {
      const { code, stderr, agents } = await play('commits', setting);
      expect([code, agents]).toEqual([1, []]);
      expect(stderr).toContain(fault);
    });

    it('another mode: exit 1', async () => {
      const bench = await take('commits');
      const { code, stderr } = await bench.run({ args: ['run', '--task', bench.root, '--mode', 'maybe'] });
      expect(code).toBe(1);
      expect(stderr).toContain('Error: ');
    });

    it('takes a model nobody admitted when its settings cannot be read', async () => {
      const { code, stderr, story, agents } = await play('commits', { config: '{bad' });
      expect([code, story, agents]).toEqual([0, FAILED_STORY, []]);
      expect(stderr).toMatch(/^case: warning — config.json could not be parsed \(.*\); using defaults.$/m);
      expect(stderr).toContain('"provider":"anthropic","model":"claude-sonnet-4-6"');
    });

    it('calls a task without a status completed, and implements nothing', async () => {
      const { code, said, agents } = await play('commits', { task: { status: undefined } });
      expect([code, said.at(-1), agents]).toEqual([0, DONE, ['Retrospective']]);
    });
  });
});
