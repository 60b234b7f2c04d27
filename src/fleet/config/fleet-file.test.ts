import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkFleet } from './check.ts';
import { withoutProject, withProject } from './edit.ts';
import { faultLines, readFleet } from './load.ts';

const agents = (prefix: string, name = 'one', more = ''): string =>
  `session_prefix = "${prefix}"\n${more}[agents.${name}]\nkind = "service"\ncommand = "true"\n`;

/** A fleet.toml beside projects with these agents.toml files. */
function fleetWith(text: string, projects: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-fleet-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, toml] of Object.entries(projects)) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'agents.toml'), toml);
  }
  writeFileSync(join(dir, 'fleet.toml'), text);
  return { dir, fleet: readFleet(join(dir, 'fleet.toml')) };
}

const env = { SEATRIAL_TMUX_SOCKET: '/nowhere/socket' };
const entry = (name: string, more = ''): string => `[[projects]]\nname = "${name}"\npath = "${name}"\n${more}`;

test('a fleet without faults', async () => {
  const { fleet } = fleetWith(entry('a') + entry('b', 'enabled = false\n'), { a: agents('a-'), b: agents('b-') });
  expect(await checkFleet(fleet, env)).toEqual({ projects: 2, faults: [], warnings: [] });
  expect(fleet.entries.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['a', true],
    ['b', false],
  ]);
});

test('every fault of the file is listed at once, in its order, with line and column', () => {
  const { fleet } = fleetWith(
    'colour = 1\n[[projects]]\nname = "a b"\npath = "a"\n[[projects]]\nname = "c"\n[[projects]]\nname = "d"\npath = "d"\nrepo = "https://x/y"\nenabled = "no"\n[[projects]]\nname = "e"\npath = "e"\nrepo = "https://x/y"\n' +
      entry('f') +
      entry('f'),
    {},
  );
  expect(faultLines(fleet.text, fleet.faults)).toEqual([
    'line 1, column 1: unknown key colour',
    'line 3, column 1: projects.0.name: may only contain letters, digits, - and _',
    'line 5, column 3: project c has neither `path` nor `repo`; set one of them',
    'line 11, column 1: projects.2.enabled must be true or false',
    'line 15, column 1: project e has both `path` and `repo`; keep one of them',
    'line 20, column 1: project name f is used twice; names must be unique',
  ]);
});

test('clashes between projects are faults where both are enabled, and warnings otherwise', async () => {
  const toml =
    entry('a') +
    entry('b') +
    entry('c') +
    entry('d', 'enabled = false\n') +
    '[[projects]]\nname = "e"\npath = "./a/"\n';
  const { dir, fleet } = fleetWith(toml, {
    a: agents('x-', 'y-one'),
    b: agents('x-'),
    c: agents('x-y-', 'one', `log_dir = "../b/.ao-state"\n`),
    d: agents('x-y-'),
  });
  const { faults, warnings } = await checkFleet(fleet, env);
  expect(faults).toEqual(
    [
      'line 4, column 3: b and a share session_prefix "x-"; set `enabled = false` for one of them, or change its agents.toml',
      'line 7, column 3: c and a share the session name x-y-one; set `enabled = false` for one of them, or change its agents.toml',
      `line 7, column 3: c and b share log_dir ${dir}/b/.ao-state; set \`enabled = false\` for one of them, or change its agents.toml`,
      'line 14, column 3: e and b share session_prefix "x-"; set `enabled = false` for one of them, or change its agents.toml',
      'line 14, column 3: e and c share the session name x-y-one; set `enabled = false` for one of them, or change its agents.toml',
      `line 16, column 1: e and a are the same project ${dir}/a`,
    ].toSorted((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b))),
  );
  expect(warnings).toContain(
    'line 10, column 3: d and c share session_prefix "x-y-"; they must never be enabled together',
  );
});

test('projects that are missing or faulty are named with what is wrong there', async () => {
  const { dir, fleet } = fleetWith(
    `${entry('gone')}${entry('bad')}[[projects]]\nname = "far"\nrepo = "https://example.org/far.git"\n`,
    { bad: 'colour = 1\n' },
  );
  const { faults, warnings } = await checkFleet(fleet, env);
  expect(faults[0]).toBe(`line 3, column 1: gone: there is no directory ${dir}/gone`);
  expect(faults[1]).toMatch(
    /^line 6, column 1: bad: .*agents.toml has \d faults:\n[\s\S]*line 1, column 1: unknown key colour/,
  );
  expect(warnings).toEqual([`line 9, column 1: far is not cloned yet; \`fleet up\` clones it to ${dir}/projects/far`]);
});

test('adding and removing leaves the rest of the file as it is', () => {
  const text = `# ours\n${entry('a')}# the second\n\n${entry('b', 'enabled = false # for now\n')}`;
  const added = withProject(text, { name: 'c', path: '../c', repo: null, enabled: false, pin: 'v1' });
  expect(added).toBe(`${text}\n[[projects]]\nname = "c"\npath = "../c"\nenabled = false\npin = "v1"\n`);
  expect(withoutProject(added, 1)).toContain('# the second\n');
  expect(withoutProject(withoutProject(added, 2), 0)).toBe(
    `# ours\n# the second\n\n${entry('b', 'enabled = false # for now\n')}`,
  );
});
