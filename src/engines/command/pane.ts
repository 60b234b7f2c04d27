import type { PaneDefinition } from '../pane/definition.ts';

/** A shell line in a pane. Nothing is known of its screens, so it is alive while its process is. */
export const commandPane: PaneDefinition = {
  program: null,
  asksModel: false,
  start: ({ command, args }) => ({
    argv: ['/bin/sh', '-c', command ?? 'exit 64', 'sh', ...args],
    env: {},
    files: {},
  }),
  resume: () => null,
  kickoff: 'paste',
  conversation: 'none',
  authority: 'screen',
  screens: [],
  signIn: null,
};
