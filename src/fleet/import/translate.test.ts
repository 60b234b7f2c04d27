import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type LiveProject, readLiveProject } from '../live/read.ts';
import { translate } from './translate.ts';

function liveWith(files: Readonly<Record<string, string>>): LiveProject {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-import-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return readLiveProject(join(dir, 'live'), {});
}

test('keys of the other system are left out by name and place, paths keep their meaning, comments stay', () => {
  const live = liveWith({
    'live/agents.toml': `# ours
session_prefix = "a-" # short
log_dir = "/srv/logs"
roles_dir = "../shared"
repo = "../repo"
poll = 5
[agents.one]
kind = "task"
dir = "work"
nice = 10
prompt = "prompts/one.md"
`,
    'live/agents.py': '',
    'live/prompts/one.md': 'One.\n',
    'shared/builder.md': 'Build.\n',
  });
  const parent = dirname(live.dir);
  const { text, differences, copies } = translate(live);
  expect(text).toBe(`# ours
session_prefix = "a-" # short
log_dir = ".ao-state"
roles_dir = "prompts"
repo = "${parent}/repo"
[agents.one]
kind = "task"
dir = "${live.dir}/work"
prompt = "prompts/one.md"
`);
  expect(differences).toEqual([
    'line 10, column 1: agents.one.nice = 10 is not imported: there is no such key here',
    'line 6, column 1: poll = 5 is not imported: there is no such key here',
    'log_dir is .ao-state below the staged project, not /srv/logs: the live state stays as it is',
    `line 4, column 1: roles_dir is a copy at prompts, taken from ${parent}/shared`,
    `line 5, column 1: repo is written out as ${parent}/repo`,
    `line 9, column 1: agents.one.dir is written out as ${live.dir}/work`,
    expect.stringMatching(/^kickoff: agents\.toml names none, and the text that agents\.py adds is not in it/),
  ]);
  expect(copies).toEqual([
    { from: join(parent, 'shared'), to: 'prompts' },
    { from: join(live.dir, 'prompts/one.md'), to: 'prompts/one.md' },
  ]);
});

test('a file without differences changes only its log_dir', () => {
  const live = liveWith({
    'live/agents.toml': 'session_prefix = "a-"\n[agents.one]\nkind = "service"\ncommand = "true"\n',
  });
  const { text, differences } = translate(live);
  expect(text).toContain('log_dir = ".ao-state"\n');
  expect(differences).toHaveLength(1);
});
