import { setTimeout } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { loadProject } from '../../../../agents/config/load.ts';
import { WATCHDOG, watchdogSession } from '../../../../agents/config/project.ts';
import { cleanLogs } from '../../../../agents/logs/clean.ts';
import type { RotationPolicy } from '../../../../agents/logs/decide.ts';
import { named } from '../../../../agents/lifecycle/down.ts';
import { safeLine } from '../../../../evidence/report/render/terminal.ts';
import { systemClock } from '../../../../kernel/clock.ts';
import { SeatrialError } from '../../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun, wholeNumber } from '../../../options.ts';
import { interruptible } from '../../../terminal/interrupt.ts';
import { print } from '../../../print.ts';
import { withOperation } from '../../../environment/operation.ts';
import { projectOption } from '../../../environment/project.ts';

export function logsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('logs').description('Show what is known about agents, and rotate logs.');
  const show = command
    .command('show', { isDefault: true })
    .description("Show the journal's facts about an agent, or its screen as it is now. Writes nothing.")
    .argument('[agent]', 'agent, or watchdog (default: all)')
    .option('--screen', 'show the screen instead')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(show, ([name], { project: dir, screen, json }) =>
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
  );
  const clean = command
    .command('clean')
    .description(
      'Rotate the logs in log_dir by size and age. A log that a process holds open is left alone until it is closed; journal, clones and bundles are never touched.',
    )
    .option('--follow', 'go on until stopped, with a look every minute, as a service does')
    .option('--max-size <megabytes>', 'rotate a log of this size', wholeNumber('--max-size', 1), 10)
    .option('--max-age <days>', 'rotate a log that was begun this long ago', wholeNumber('--max-age', 1), 7)
    .option('--keep <n>', 'keep this many older generations of each log', wholeNumber('--keep', 1), 5)
    .addOption(projectOption());
  handledBy(clean, (_args, { project, follow, maxSize, maxAge, keep }) =>
    rotate(project, follow === true, { maxBytes: maxSize * 1024 * 1024, maxAgeMs: maxAge * 86_400_000, keep }),
  );
  return parseAndRun(command, args);
}

const LOOK_EVERY_MS = 60_000;

async function rotate(dir: string, follow: boolean, policy: RotationPolicy): Promise<ExitCode> {
  const signal = interruptible();
  for (;;) {
    for (const action of cleanLogs(loadProject(dir), policy, systemClock.now()))
      process.stdout.write(
        `${safeLine(action.do === 'remove' ? `removed ${action.path}` : `${action.from} is now ${action.to}`)}\n`,
      );
    if (!follow || signal.aborted) return EXIT.pass;
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return EXIT.pass;
  }
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
