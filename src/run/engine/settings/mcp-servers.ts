import { readFileSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import type { RepositorySettings } from '../../../evidence/schema/repository-settings.ts';
import { pathBelow, pathText } from '../../../kernel/path-text.ts';
import { rowsBelow } from '../../../task/tree/layered/search.ts';
import type { Tree } from '../../../task/tree/walk.ts';
import { parseJsonc } from '../../judge/deciding/manifest-text.ts';
import type { FoundSetting } from './decide.ts';

type Servers = RepositorySettings['unreachable_mcp_servers'];

const MAX_BYTES = 1 << 20;
const MAX_SERVERS = 100;
const MAX_NAME = 200;

/**
 * MCP servers that the engine cannot reach: all those of hidden settings, and of shown ones those with an address, since there is no
 * network. `files`: the files that configure servers, and the key below which they are.
 */
export function listMcpServers(
  found: readonly FoundSetting[],
  files: Readonly<Record<string, string>>,
  { entries }: Tree,
  dir: string,
): Servers {
  const stateOf = (path: string): FoundSetting['setting']['state'] | undefined =>
    found.find(({ setting }) => path === setting.path || path.startsWith(`${setting.path}/`))?.setting.state;
  return found
    .flatMap(({ entry }) => rowsBelow(entries, entry.path.toString('latin1')))
    .flatMap(([, entry]): Servers => {
      const path = pathText(entry.path);
      const key = Object.entries(files).find(([file]) => path === file || path.endsWith(`/${file}`))?.[1];
      const state = key === undefined ? undefined : stateOf(path);
      if (key === undefined || state === undefined || entry.kind !== 'file' || entry.bytes > MAX_BYTES) return [];
      const servers = serversIn(readFileSync(pathBelow(dir, entry.path), 'utf8'), path, key);
      return servers
        .filter(({ isRemote }) => isRemote || state !== 'shown')
        .map(({ name }) => ({ name: name.slice(0, MAX_NAME), configured_in: path }));
    })
    .slice(0, MAX_SERVERS);
}

/** Text that cannot be read configures nothing. */
function serversIn(
  text: string,
  path: string,
  key: string,
): readonly { readonly name: string; readonly isRemote: boolean }[] {
  const servers = membersOf(membersOf(parsed(text, path)).find(([name]) => name === key)?.[1]);
  return servers.map(([name, server]) => ({
    name,
    isRemote: membersOf(server).some(([field]) => /^(?:url|httpUrl)$/.test(field)),
  }));
}

function parsed(text: string, path: string): unknown {
  if (!path.endsWith('.toml')) return parseJsonc(text);
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
