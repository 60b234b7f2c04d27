import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT } from './seatrial.ts';

export interface Installed {
  readonly prefix: string;
  /** The package's own directory. */
  readonly root: string;
  /** To be called with node. */
  readonly command: string;
  remove(): void;
}

/** What `npm install --global` makes of this package, in a directory of its own that every user can read. */
export function installGlobally(): Installed {
  const temp = mkdtempSync(join(tmpdir(), 'seatrial-installed-'));
  chmodSync(temp, 0o755);
  // The build is there already; building again would change what tests beside this one are running.
  npm(temp, ['pack', '--ignore-scripts', '--pack-destination', temp, PROJECT]);
  const archive = readdirSync(temp).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack left no archive');
  const prefix = join(temp, 'prefix');
  npm(temp, ['install', '--global', '--prefix', prefix, '--ignore-scripts', join(temp, archive)]);
  const root = join(prefix, 'lib/node_modules/seatrial');
  return {
    prefix,
    root,
    command: join(prefix, 'bin/seatrial'),
    remove: () => rmSync(temp, { recursive: true, force: true }),
  };
}

/** No home, no settings, no registry of the person who runs the tests. */
function npm(temp: string, args: readonly string[]): void {
  const ended = spawnSync('npm', args, {
    cwd: temp,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: temp,
      npm_config_offline: 'true',
      npm_config_cache: join(temp, 'cache'),
    },
    encoding: 'utf8',
  });
  if (ended.status !== 0) throw new Error(`npm ${args.join(' ')}\n${ended.stdout}${ended.stderr}`);
}
