import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.ts';
import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import type { ScreenRule } from '../pane/screen.ts';

/** Each line replaces what the ones above it said. */
const LATER = /^demo: (working|idle|claimed|verdict|error|no answer)/;

const SCREENS: readonly ScreenRule[] = [
  { state: 'login', line: /^demo: please sign in/, notBelow: LATER },
  { state: 'permission', line: /^demo: allow this command\? \[y\/N\]/, notBelow: LATER },
  {
    state: 'limit',
    line: /^demo: usage limit reached, resets at (\S+)/,
    notBelow: LATER,
    until: ([, time = '']) => (Number.isNaN(Date.parse(time)) ? null : new Date(time)),
  },
  { state: 'retrying', line: /^demo: no answer, retrying/, notBelow: LATER },
  { state: 'idle', line: /^demo: idle/, notBelow: LATER },
  { state: 'error', line: /^demo: error/, notBelow: LATER },
  { state: 'working', line: /^demo: (working|claimed|verdict)/ },
];

function launch(context: PaneContext, flag: string): PaneLaunch {
  return {
    argv: [
      process.execPath,
      join(packageRoot(), 'dist', 'demo-agent.js'),
      flag,
      context.conversation,
      ...context.args,
      '--',
      KICKOFF_ARGUMENT,
    ],
    env: { DEMO_CONFIG_DIR: context.configDir },
    files: {},
  };
}

/**
 * An agent without a model, for trying things out: it plays builder and adversary by what the plan says, and works, idles, crashes, hangs,
 * floods, asks for a login or shows a usage limit when it is told to.
 */
export const demoPane: PaneDefinition = {
  program: null,
  asksModel: false,
  start: (context) => launch(context, '--conversation'),
  resume: (context) => launch(context, '--resume'),
  kickoff: 'argument',
  conversation: 'chosen',
  authority: 'screen',
  screens: SCREENS,
  takenLine: /^demo: working/,
  signIn: null,
};
