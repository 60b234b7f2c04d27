import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decideSettings } from '../../src/run/engine/settings/decide.ts';
import { walkTree } from '../../src/task/tree/walk.ts';
import { AgentPlace, MEND } from '../support/agent-place.ts';
import { writeBelow } from '../support/seatrial.ts';

let place: AgentPlace;
beforeEach(() => {
  place = new AgentPlace();
});
afterEach(() => place.close());

const SETTINGS = {
  '.pi/mcp.json': '{"mcpServers": {"tracker": {"command": "PI-SETTINGS"}}}\n',
  'AGENTS.md': 'INSTRUCTIONS\n',
};

it('settings that an agent would obey are shown to it empty and listed in every report; instructions stay', async () => {
  place.commit(SETTINGS);
  writeBelow(place.repo, { 'elsewhere/x': 'LINKED-SETTINGS\n', 'linked/keep': '' });
  symlinkSync('../elsewhere', join(place.repo, 'linked/.pi'));
  place.commit();
  const look =
    'for file in .pi/mcp.json linked/.pi/x AGENTS.md; do [ -e $file ] && cat $file; done; git status --short';
  await place.install(`${look}\necho state > .pi/state\ngit add --all\ngit commit -qm all\n${MEND}`);
  const { report, kept, stdout } = await place.ask();
  const printed = kept('backend/stdout.log');
  expect(printed).toContain('INSTRUCTIONS');
  expect(printed).not.toMatch(/PI-SETTINGS|LINKED-SETTINGS|\.pi/);
  expect(report).toMatchObject({
    status: 'pass',
    changed_files: ['total.py'],
    ignored_files: ['.pi/state'],
    repository_settings: {
      settings: [
        { path: '.pi', files: 1, state: 'not_admitted' },
        { path: 'linked/.pi', files: 1, state: 'not_admitted' },
      ],
      unreachable_mcp_servers: [{ name: 'tracker', configured_in: '.pi/mcp.json' }],
    },
  });
  for (const page of ['report.md', 'report.html']) {
    expect(kept(page)).toContain('Settings in the repository');
    expect(kept(page)).toContain('tracker');
  }
  expect(stdout).toContain('settings of the repository hidden from pi: .pi, linked/.pi\n');
  expect(stdout).toContain('MCP servers out of reach: tracker\n');
});

it('repo_settings shows them by digest, until one byte changes', async () => {
  place.commit(SETTINGS);
  await place.install(`cat .pi/mcp.json\n${MEND}`);
  const digest = decideSettings(walkTree(place.repo, { skipTopGit: true }), ['.pi'], {})[0]?.setting.sha256;
  writeFileSync(join(place.cwd, 'seatrial.toml'), `[engines.pi]\nrepo_settings = { ".pi" = "${digest}" }\n`);
  const shown = await place.ask();
  expect(shown.report.repository_settings?.settings[0]?.state).toBe('shown');
  expect(shown.kept('backend/stdout.log')).toContain('PI-SETTINGS');
  place.commit({ '.pi/mcp.json': SETTINGS['.pi/mcp.json'].replace('tracker', 'trackes') });
  const changed = await place.ask();
  expect(changed.stdout).toContain('changed since repo_settings admitted it: .pi\n');
  expect(changed.stdout).toContain('hidden from pi: .pi\n');
  expect(changed.kept('backend/stdout.log')).not.toContain('PI-SETTINGS');
});
