import { join } from 'node:path';
import { newestNamed, readIfThere } from '../pane/config-files.ts';
import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { CODEX_SCREENS } from './screens.ts';

/** Without `--no-daemon` a background server outlives the pane and goes on working. */
function launch(context: PaneContext, verb: readonly string[]): PaneLaunch {
  const model = context.model === null ? [] : ['--model', context.model];
  const trusted = `[projects.${JSON.stringify(context.cwd)}]\ntrust_level = "trusted"\n`;
  return {
    argv: [
      'codex',
      ...verb,
      '--no-daemon',
      '--disable',
      'unbounded_connection_retries',
      ...model,
      ...context.args,
      KICKOFF_ARGUMENT,
    ],
    env: { CODEX_HOME: context.configDir },
    files: { 'config.toml': `check_for_update_on_startup = false\n\n${trusted}` },
  };
}

export const codexPane: PaneDefinition = {
  program: 'codex',
  asksModel: true,
  start: (context) => launch(context, []),
  resume: (context) => launch(context, ['resume', context.conversation]),
  kickoff: 'argument',
  conversation: 'found',
  findConversation: (configDir, since) =>
    newestNamed(
      join(configDir, 'sessions'),
      /rollout-.*?-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/,
      since,
    ),
  authority: 'screen',
  screens: CODEX_SCREENS,
  trusts: (configDir, cwd) =>
    readIfThere(join(configDir, 'config.toml'))?.includes(`[projects.${JSON.stringify(cwd)}]`) ?? true,
  signIn: {
    command: ['codex', 'login'],
    file: 'auth.json',
    usual: '.codex/auth.json',
  },
};
