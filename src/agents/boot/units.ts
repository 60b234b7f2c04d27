import type { Project } from '../config/project.ts';

/** The two files that start a project's agents again after a reboot, and the line that does so where there is no systemd. */
export interface BootFiles {
  /** Of both units, without their endings. */
  readonly name: string;
  readonly service: string;
  readonly timer: string;
  readonly cronLine: string;
}

/** `command`: how this Seatrial is started; `path`: where the agents' programs are found. Pure. */
export function bootFiles(
  { dir, id, prefix }: Pick<Project, 'dir' | 'id' | 'prefix'>,
  command: readonly string[],
  path: string,
): BootFiles {
  const name = `seatrial-${prefix}${id.slice(0, 8)}`;
  const words = [...command, 'up', '--resume', '--project', dir];
  return {
    name,
    service: `[Unit]
Description=Agents of ${unitText(dir)}

[Service]
Type=oneshot
ExecStart=${words.map(unitWord).join(' ')}
Environment=${unitWord(`PATH=${path}`)}
# What it starts stays when it ends.
KillMode=process
`,
    timer: `[Unit]
Description=Agents of ${unitText(dir)}, looked after every minute

[Timer]
OnBootSec=30
OnUnitInactiveSec=60

[Install]
WantedBy=timers.target
`,
    cronLine: `* * * * * PATH=${shellWord(path)} ${words.map(shellWord).join(' ')} >/dev/null 2>&1`.replaceAll(
      '%',
      String.raw`\%`,
    ),
  };
}

/** A percent sign starts a specifier. */
const unitText = (text: string): string => text.replaceAll('%', '%%').replaceAll('\n', ' ');

const unitWord = (word: string): string =>
  `"${unitText(word)
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('$', '$$$$')}"`;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
