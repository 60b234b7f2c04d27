import { Command } from '@commander-js/extra-typings';
import { WATCHDOG, watchdogSession } from '../../../agents/config/project.ts';
import { named } from '../../../agents/lifecycle/down.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { projectOption, withOperation } from '../../environment/project.ts';

export function logsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('logs')
    .description("Show the journal's facts about an agent, or its screen as it is now. Writes nothing.")
    .argument('[agent]', 'agent, or watchdog (default: all)')
    .option('--screen', 'show the screen instead')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([name], { project: dir, screen, json }) =>
      withOperation(dir, async (operation) => {
        if (screen === true) return showScreen(operation, name, json);
        if (name !== undefined && name !== WATCHDOG) named(operation)(name);
        const entries = operation.journal
          .read()
          .filter(
            (entry) =>
              name === undefined ||
              ('agent' in entry && entry.agent === name) ||
              (name === WATCHDOG && entry.type.startsWith('watchdog.')),
          );
        print(json, entries, () => entries.map((entry) => `${entry.time}  ${safeLine(describeEntry(entry))}`));
        return EXIT.pass;
      }),
    ),
    args,
  );
}

type Operated = Parameters<Parameters<typeof withOperation>[1]>[0];

async function showScreen(operation: Operated, name: string | undefined, json: true | undefined): Promise<ExitCode> {
  if (name === undefined) throw new SeatrialError('usage', '--screen needs an agent');
  const session = name === WATCHDOG ? watchdogSession(operation.project) : named(operation)(name).session;
  const seen = await operation.host.screen(session);
  if (seen === null) throw new SeatrialError('blocked', `${name} has no session; start it with \`seatrial up\``);
  print(json, seen, () => seen.lines.map(safeLine));
  return EXIT.pass;
}

/** The fact without its place in the chain. */
function describeEntry(entry: ReturnType<Operated['journal']['read']>[number]): string {
  const { version: _version, seq: _seq, time: _time, prev: _prev, hash: _hash, type, ...rest } = entry;
  const parts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [type, ...parts].join(' ');
}
