import { chmodSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { reason } from '../evidence/reasons/catalogue.ts';
import { Refused } from '../evidence/reasons/refused.ts';
import { Bubblewrap, type BubblewrapFacts } from './bwrap/bubblewrap.ts';
import { architectureNamed } from './seccomp/architecture.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { PipePool } from './streams/pipes.ts';
import type { OverlaySpace } from './overlay/space.ts';
import { findMemoryCgroups } from './limits/cgroup.ts';
import { readHiddenPaths, readHomes } from './bwrap/mount-masks.ts';
import { findCredentials } from './tools/credentials.ts';
import { findProgram } from './tools/find-program.ts';
import { LimitEnforcer } from './limits/enforce.ts';
import { chooseIdentity, type UserIdentity } from './processes/identity.ts';
import { DEFAULT_LIMITS, parseCeilings } from './limits/limits.ts';
import { installCommand } from './install-command.ts';
import { readHarmlessEtc, readImageLayout, readSystemLayout, SYSTEM_PATH } from './bwrap/system-layout.ts';
import { writeSyntheticEtc } from './bwrap/synthetic-etc.ts';
import { resolveTool } from './tools/toolchain.ts';
import { Unconfined } from './unconfined.ts';
import type { Confinement, Limits, Mount } from './types.ts';

/** What an image builder made, unpacked. It has the files of /etc that the sandbox shows its own in place of. */
export interface ImageRoot {
  readonly dir: string;
  /** Its PATH. */
  readonly path: string;
}

export interface ConfinementOptions {
  readonly kind: 'bubblewrap' | 'none';
  /** From `makeScratch`; several sandboxes may share one. */
  readonly scratch: string;
  /** Host paths that no command may see, whatever else is mounted. */
  readonly covered?: readonly string[];
  /** Mounts for every command: toolchains, and those from the configuration. */
  readonly readOnly?: readonly Mount[];
  /** The root of an image, whose system takes the place of this machine's. Default: none. */
  readonly image?: ImageRoot | null;
  /** Where overlays are mounted that commands are shown. Default: nowhere. */
  readonly space?: OverlaySpace | null;
  /** Root only: the user that commands run as, whom the files of their overlay belong to. Default: one that no other sandbox has. */
  readonly owner?: UserIdentity | null;
  /** For the report only; each command has its own limits. */
  readonly limits?: Limits;
  readonly clock?: Clock;
  /** PATH to search for tools. */
  readonly path?: string;
  /** Directory of the tool cache. Default: no cache. */
  readonly cacheDir?: string | null;
}

export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const clock = options.clock ?? systemClock;
  const scratch = realpathSync(options.scratch);
  const ownDir = makeOwnDir(scratch);
  if (options.kind === 'none') return new Unconfined(ownDir, await PipePool.make(ownDir), limits, clock);
  const path = options.path ?? process.env['PATH'] ?? SYSTEM_PATH;
  const boundaries = {
    scratch,
    covered: readHiddenPaths([...(options.covered ?? []), ...findCredentials(process.env, homedir())]),
    homes: readHomes(),
  };
  const bwrap = findProgram('bwrap', path);
  if (bwrap === null) throw new Refused(reason('bubblewrap_missing', { install: installCommand('bubblewrap', path) }));
  const [pool] = await Promise.all([PipePool.make(ownDir), checkVersion(bwrap, path, options.cacheDir ?? null)]);
  const owner = options.owner ?? null;
  const identity = owner ?? chooseIdentity();
  const architecture = hasSeccomp() ? architectureNamed(process.arch) : null;
  const tool = (name: string): string => findProgram(name, `${path}:${SYSTEM_PATH}`) ?? name;
  return new Bubblewrap({
    ownDir: ownDir,
    bwrap,
    pool,
    stagingTools: { unshare: tool('unshare'), mount: tool('mount'), setpriv: tool('setpriv') },
    limitHolder: new LimitEnforcer(
      tool('prlimit'),
      parseCeilings(readFileSync('/proc/self/limits', 'latin1')),
      { identity, isReserved: identity !== null && owner === null },
      findMemoryCgroups({
        membership: readFileSync('/proc/self/cgroup', 'latin1'),
        mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
        isRoot: process.getuid?.() === 0,
      }),
    ),
    identity,
    space: options.space ?? null,
    ...systemOf(options.image ?? null, ownDir, options.readOnly ?? []),
    boundaries,
    limits,
    clock,
    filter: architecture === null ? null : seccompFilter(architecture),
  });
}

/** The system that commands see: this machine's, or that of an image. */
function systemOf(
  image: ImageRoot | null,
  ownDir: string,
  readOnly: readonly Mount[],
): Pick<BubblewrapFacts, 'layout' | 'etc' | 'readOnly' | 'systemPath'> {
  if (image === null) return { layout: readSystemLayout(), etc: readHarmlessEtc(), readOnly };
  const tops = readImageLayout(image.dir);
  const { passwd, group, gitSettings, hosts } = writeSyntheticEtc(mkdtempSync(join(ownDir, 'etc-')));
  const etc = { '/etc/passwd': passwd, '/etc/group': group, '/etc/gitconfig': gitSettings, '/etc/hosts': hosts };
  return {
    layout: tops.filter(({ kind }) => kind === 'link'),
    etc: [],
    systemPath: image.path,
    readOnly: [
      ...tops.flatMap(({ kind, path }) =>
        kind === 'dir' ? [{ source: join(image.dir, path), target: path, mode: 'ro' } as const] : [],
      ),
      ...Object.entries(etc).map(([target, source]) => ({ source, target, mode: 'ro' }) as const),
      ...readOnly,
    ],
  };
}

/** Some kernels are built without. */
function hasSeccomp(): boolean {
  return /^Seccomp:/m.test(readFileSync('/proc/self/status', 'latin1'));
}

/** The user that root drops to may traverse it, but not list it. */
function makeOwnDir(scratch: string): string {
  const dir = mkdtempSync(join(scratch, 'confine-'));
  chmodSync(dir, 0o711);
  return dir;
}

/** Queried once per process: many runs share one bubblewrap. */
const versions = new Map<string, ReturnType<typeof resolveTool>>();

/** `--size` and `--disable-userns` were added in 0.8. */
async function checkVersion(bwrap: string, path: string, cacheDir: string | null): Promise<void> {
  const asking = versions.get(bwrap) ?? resolveTool('bwrap', { path: dirname(bwrap), cacheDir });
  versions.set(bwrap, asking);
  const version = (await asking)?.tool.version ?? 'unknown';
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major > 0 || minor >= 8) return;
  throw new Refused(
    reason('bubblewrap_too_old', { path: bwrap, version, install: installCommand('bubblewrap', path) }),
  );
}
