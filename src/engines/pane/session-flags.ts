import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from './definition.ts';

/** What tells one program of this kind from another. */
interface SessionFlagsProgram extends Pick<PaneDefinition, 'screens' | 'signIn'> {
  readonly program: string;
  /** The variable that names its configuration directory. */
  readonly homeVariable: string;
  /** Its settings: a path below that directory, and what the file holds. */
  readonly settingsFile: string;
  readonly settings: object;
}

/** A program that takes the id of a conversation by `--session-id` and `--resume`, and its first prompt by `-i`. */
export function sessionFlagsPane({
  program,
  screens,
  homeVariable,
  settingsFile,
  settings,
  signIn,
}: SessionFlagsProgram): PaneDefinition {
  const launch = (context: PaneContext, conversation: readonly string[]): PaneLaunch => {
    const model = context.model === null ? [] : ['--model', context.model];
    return {
      argv: [program, ...conversation, ...model, ...context.args, '-i', KICKOFF_ARGUMENT],
      env: { [homeVariable]: context.configDir },
      files: { [settingsFile]: `${JSON.stringify(settings, null, 2)}\n` },
    };
  };
  return {
    program,
    asksModel: true,
    start: (context) => launch(context, ['--session-id', context.conversation]),
    resume: (context) => launch(context, ['--resume', context.conversation]),
    kickoff: 'argument',
    conversation: 'chosen',
    authority: 'screen',
    screens,
    signIn,
  };
}
