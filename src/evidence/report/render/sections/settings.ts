import type { ObeyedSetting } from '../../../schema/repository-settings.ts';
import type { Report } from '../../../schema/report.ts';
import { type Block, type Section, type StateRow, paragraph, quote } from '../document.ts';
import { plural } from '../text/words.ts';

const STATES: Readonly<Record<ObeyedSetting['state'], Pick<StateRow, 'state' | 'tone'> & { readonly why: string }>> = {
  shown: { state: 'shown', tone: 'plain', why: 'admitted in seatrial.toml by this digest' },
  not_admitted: { state: 'hidden', tone: 'plain', why: 'not admitted' },
  changed: { state: 'hidden', tone: 'warn', why: 'changed since it was admitted' },
  linked: { state: 'hidden', tone: 'warn', why: 'admitted, but it contains a symbolic link' },
};

/** Empty: the repository has no settings that the engine would obey. */
export function settingsSections({ backend, repository_settings: found }: Report): readonly Section[] {
  if (found === undefined) return [];
  const rows = found.settings.map(({ path, sha256, files, state: decided }): StateRow => {
    const { state, tone, why } = STATES[decided];
    return { state, tone, text: [quote(path), `, ${plural(files, 'file')}, SHA-256 `, quote(sha256), `: ${why}`] };
  });
  const servers: readonly Block[] =
    found.unreachable_mcp_servers.length === 0
      ? []
      : [
          paragraph('MCP servers that the repository configures and that the engine could not reach:'),
          {
            kind: 'list',
            items: found.unreachable_mcp_servers.map(({ name, configured_in: path }) => [
              quote(name),
              ' in ',
              quote(path),
            ]),
          },
        ];
  return [
    {
      id: 'repository-settings',
      title: 'Settings in the repository',
      blocks: [
        paragraph('Settings that ', quote(backend), ' would obey. Hidden ones were shown to it empty.'),
        { kind: 'states', rows },
        ...servers,
      ],
    },
  ];
}
