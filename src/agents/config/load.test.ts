import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { messageOf } from '../../kernel/errors.ts';
import { loadProject } from './load.ts';
import { agentModel } from './models.ts';
import { agentNamed, type Project } from './project.ts';

function projectWith(text: string): Project {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-agents-toml-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'agents.toml'), text);
  return loadProject(dir);
}

function faultsOf(text: string): string[] {
  try {
    projectWith(text);
    return [];
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

const SOUND = `session_prefix = "demo-"
[defaults]
backend = "demo"
model = "sonnet"
[models]
opus = "claude-opus-4-8"
sonnet = "claude-sonnet-4-6"
[[phases]]
id = "one"
plan = "plan-one.md"
models = { builder = "opus" }
[[phases]]
id = "two"
plan = "plan-two.md"
models = "opus"
[agents.builder]
kind = "loop"
role = "builder"
[agents.adversary]
kind = "loop"
role = "adversary"
session = "adv"
model = "haiku"
[agents.helper]
kind = "persistent"
[agents.logs]
kind = "service"
command = "true"
`;

test('a file without faults is a project with every default filled in', () => {
  const project = projectWith(SOUND);
  expect(project.logDir).toBe(join(project.dir, '.ao-state'));
  expect(project.agents.map(({ name, session, watch }) => [name, session, watch])).toEqual([
    ['builder', 'demo-builder', 'heal+stall'],
    ['adversary', 'demo-adv', 'heal+stall'],
    ['helper', 'demo-helper', 'heal'],
    ['logs', 'demo-logs', 'heal'],
  ]);
});

test.each([
  ['builder', 0, 'claude-opus-4-8', "the phase's model for builder, by [models] opus"],
  ['adversary', 0, 'haiku', "the agent's own"],
  ['adversary', 1, 'haiku', "the agent's own"],
  ['builder', 1, 'claude-opus-4-8', "the phase's for all loops, by [models] opus"],
  ['helper', 1, 'claude-sonnet-4-6', '[defaults], by [models] sonnet'],
])('%s in phase %i gets %s: %s', (name, index, model, why) => {
  const project = projectWith(SOUND);
  const agent = agentNamed(project, name);
  expect(agent && agentModel(project, agent, project.phases[index] ?? null)).toEqual({ name: model, why });
});

test('all faults are listed at once, in the order of the file, each with line and column', () => {
  const text = `session_prefix = "de mo"
colour = 1
[defaults]
backend = "demo"
watch = "heel"
[[phases]]
id = "one"
plan = "p.md"
models = { tester = "x" }
[agents.builder]
kind = "loop"
role = "builder"
prompt = "hello"
[agents.watchdog]
kind = "service"
command = "true"
[agents.other]
kind = "loop"
role = "builder"
session = "builder"
backend = "clawed"
[agents.mute]
kind = "service"
`;
  expect(faultsOf(text)).toEqual([
    'line 1, column 1: session_prefix: may only contain letters, digits, - and _',
    'line 2, column 1: unknown key colour',
    'line 5, column 1: defaults.watch must be one of none, heal, heal+stall',
    'line 6, column 3: phase one has neither a proof nor an enabled adversary to end it; add proof = { test = "…" }',
    'line 9, column 12: phase one names a model for tester, which is no role of an agent here; the roles are builder',
    'line 13, column 1: builder is a loop: `prompt` is for persistent and task agents',
    'line 14, column 2: the name watchdog is reserved; choose another',
    'line 19, column 1: the role builder is played by builder already; each role has one enabled agent',
    expect.stringMatching(
      /^line 20, column 1: session \S+builder of other is also that of builder; set another `session`$/,
    ),
    expect.stringMatching(/^line 21, column 1: unknown backend "clawed"; the backends are .*demo/),
    'line 22, column 2: mute is a service and needs a `command`',
  ]);
});

test('a phase without an id does not hide the faults of agents', () => {
  const faults = faultsOf('session_prefix = "a-"\n[[phases]]\nplan = "p"\n[agents.x]\nkind = "service"\n');
  expect(faults).toEqual([
    'line 2, column 3: phases.0.id must be a quoted string',
    'line 4, column 2: x is a service and needs a `command`',
  ]);
});

test('text that is not TOML is refused with its place', () => {
  expect(faultsOf('session_prefix = \n')[0]).toMatch(/line 1, column \d+/);
});
