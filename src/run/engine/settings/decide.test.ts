import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../../../task/tree/walk.ts';
import { decideSettings } from './decide.ts';
import { listMcpServers } from './mcp-servers.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'repository-settings-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NAMES = ['.claude', '.mcp.json', '/.env'];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const states = (admitted: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    decideSettings(walkTree(root), NAMES, admitted).map(({ setting }) => [setting.path, setting.state]),
  );

const digestOf = (path: string): string =>
  decideSettings(walkTree(root), NAMES, {}).find(({ setting }) => setting.path === path)?.setting.sha256 ?? '';

test('settings are found at any depth, and those at the root only there; instructions are none', () => {
  write('.claude/settings.json', '{}');
  write('.claude/nested/.claude/settings.json', '{}');
  write('packages/a/.claude/skills/x/SKILL.md', '');
  write('packages/a/.env', '');
  write('.env', '');
  write('.mcp.json', '{}');
  write('CLAUDE.md', '');
  write('AGENTS.md', '');
  expect(Object.keys(states()).toSorted()).toEqual(['.claude', '.env', '.mcp.json', 'packages/a/.claude']);
});

test('settings are shown by their digest alone, and one changed byte or added file hides them again', () => {
  write('.claude/settings.json', '{"a":1}');
  write('.mcp.json', '{}');
  const admitted = { '.claude': digestOf('.claude'), '.mcp.json': digestOf('.mcp.json') };
  expect(states(admitted)).toEqual({ '.claude': 'shown', '.mcp.json': 'shown' });
  expect(states({ '.claude': admitted['.mcp.json'] })).toEqual({ '.claude': 'changed', '.mcp.json': 'not_admitted' });
  write('.claude/settings.json', '{"a":2}');
  expect(states(admitted)).toEqual({ '.claude': 'changed', '.mcp.json': 'shown' });
  write('.claude/settings.json', '{"a":1}');
  write('.claude/more.json', '');
  expect(states(admitted)['.claude']).toBe('changed');
});

test('a digest does not cover what a link leads to, so settings with one stay hidden', () => {
  write('elsewhere.json', '{}');
  mkdirSync(join(root, '.claude'));
  symlinkSync('../elsewhere.json', join(root, '.claude/settings.json'));
  symlinkSync('elsewhere.json', join(root, '.mcp.json'));
  const admitted = { '.claude': digestOf('.claude'), '.mcp.json': digestOf('.mcp.json') };
  expect(states(admitted)).toEqual({ '.claude': 'linked', '.mcp.json': 'linked' });
});

test('MCP servers of hidden settings are out of reach, and of shown ones those with an address', () => {
  write('.mcp.json', '{"mcpServers": {"local": {"command": "x"}, "remote": {"url": "https://mcp.example"}}}');
  write('.codex/config.toml', '[mcp_servers.docs]\ncommand = "x"\n');
  write('sub/.mcp.json', '{"mcpServers": {"deep": {}, /* comment */ }}');
  write('other/.mcp.json', 'not JSON');
  const tree = walkTree(root);
  const servers = (admitted: Readonly<Record<string, string>>): string[] =>
    listMcpServers(
      decideSettings(tree, ['.mcp.json', '.codex'], admitted),
      { '.mcp.json': 'mcpServers', '.codex/config.toml': 'mcp_servers' },
      tree,
      root,
    ).map(({ name }) => name);
  expect(servers({})).toEqual(['docs', 'local', 'remote', 'deep']);
  expect(servers({ '.mcp.json': digestOf('.mcp.json') })).toEqual(['docs', 'remote', 'deep']);
});
