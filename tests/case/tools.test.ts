import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../src/gateway/scripted/schema.ts';
import { benchOf, GOOD_STORY } from '../support/case-stories.ts';
import { type Json, KEY, PROGRAMS } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { take, play } = benchOf(program);

  describe('its tools', () => {
    const EVIL = '#!/bin/sh\necho "$1" >> shell.log\nexec /bin/sh "$@"\n';
    const bash = (command: string, rest: object = {}) => ({ name: 'bash', arguments: { command, ...rest } });
    const END = { text: '<<<AGENT_RESULT\n{"status":"completed"}\nAGENT_RESULT>>>' };

    async function answers(...calls: ToolCall[]): Promise<string[]> {
      const turns = [...calls.map((call) => ({ tool_calls: [call] })), END].map((turn) => ({
        when: '# Implementer — ',
        ...turn,
      }));
      const { bench } = await play({ turns: [...turns, END] });
      const last: Json = bench.model.requests[calls.length]?.body;
      return last.messages.filter(({ role }: Json) => role === 'tool').map(({ content }: Json) => content);
    }

    it('read, write and edit files', async () => {
      const edit = (path: string, oldText: string) => ({ path, edits: [{ oldText, newText: 'bye' }] });
      const said = await answers(
        { name: 'write', arguments: { path: 'a/b.txt', content: 'hello\nand hello\n' } },
        { name: 'edit', arguments: edit('a/b.txt', 'and hello') },
        { name: 'edit', arguments: edit('a/b.txt', 'never there') },
        { name: 'edit', arguments: edit('a/none.txt', 'x') },
        { name: 'read', arguments: { path: 'a/b.txt' } },
        { name: 'read', arguments: { path: 'a/b.txt', offset: 2, limit: 1 } },
        { name: 'read', arguments: { path: 'none' } },
        { name: 'none', arguments: {} },
      );
      expect(said).toEqual([
        'Successfully wrote 16 bytes to a/b.txt',
        'Successfully replaced 1 block(s) in a/b.txt.',
        'Could not find the exact text in a/b.txt. The old text must match exactly including all whitespace and newlines.',
        'File not found: a/none.txt',
        'hello\nbye\n',
        'bye\n\n[1 more lines in file. Use offset=3 to continue.]',
        expect.stringContaining('ENOENT: no such file or directory'),
        'Tool none not found',
      ]);
    });

    it('run commands, in a session of their own, with the key in sight', async () => {
      const said = await answers(
        bash('echo out; echo err >&2; exit 3'),
        bash('true'),
        bash('sleep 60', { timeout: 1 }),
        bash('read -r _ _ _ _ _ session _ < /proc/$$/stat; [ "$session" = $$ ] && echo own'),
        bash('echo "$OPENAI_API_KEY"'),
        { name: 'bash', arguments: {} },
        bash('ca mark-tested < /dev/null'),
      );
      expect(said).toEqual([
        'out\nerr\n\n\nCommand exited with code 3',
        '(no output)',
        'Command timed out after 1 seconds',
        'own\n',
        `${KEY}\n`,
        expect.stringContaining('Validation failed for tool "bash"'),
        expect.stringContaining('No active task'),
      ]);
    });

    it("use the shell that the repository's own settings name", async () => {
      const bench = await take('commits');
      bench.write('evil.sh', EVIL, 0o755);
      bench.write('.pi/settings.json', JSON.stringify({ shellPath: join(bench.repo, 'evil.sh') }));
      bench.commitAll('settings');
      expect(await bench.run()).toMatchObject({ code: 0, story: GOOD_STORY });
      expect(bench.read('shell.log')).toBe('-c\n');
    });

    it('do not when its settings are looked for elsewhere', async () => {
      const bench = await take('commits');
      bench.write('evil.sh', EVIL, 0o755);
      bench.write('.pi/settings.json', JSON.stringify({ shellPath: join(bench.repo, 'evil.sh') }));
      const about = { name: 'pi', version: '0.0.0', piConfig: { name: 'pi', configDir: '.elsewhere' } };
      bench.write('../package/package.json', JSON.stringify(about));
      bench.commitAll('settings');
      const env = { PI_PACKAGE_DIR: join(bench.root, 'package') };
      expect(await bench.run({ env })).toMatchObject({ code: 0, story: GOOD_STORY });
      expect(existsSync(join(bench.repo, 'shell.log'))).toBe(false);
    });

    it('mask what looks like a secret in the event log', async () => {
      const tool_calls = [bash('echo "token=abcdefgh"')];
      const { events } = await play({ turns: [{ tool_calls, ...END }, END] });
      expect(events.filter(({ tool }) => tool === 'bash').length).toBeGreaterThan(0);
      expect(JSON.stringify(events)).not.toContain('abcdefgh');
    });
  });
});
