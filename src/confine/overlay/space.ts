import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isWithin } from '../../kernel/path-text.ts';
import type { UserIdentity } from '../processes/identity.ts';
import { spawnCommand } from '../processes/spawn.ts';
import { findProgram } from '../tools/find-program.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';

/** Read-only files with the changes to them beside them, seen as one directory. */
export interface Overlay {
  /** Where commands that enter the space find the directory; empty outside of it. */
  readonly merged: string;
  /** The same directory for this process. No path for other programs: resolving its links leads out of the space. */
  readonly view: string;
  /** What was changed, and nothing else. */
  readonly changes: string;
  /** All its layers, the changes first. */
  readonly layers: readonly string[];
}

/** Programs of util-linux. */
interface SpaceTools {
  readonly unshare: string;
  readonly nsenter: string;
  readonly mount: string;
  readonly umount: string;
}

/** The names in the directory of an overlay. Options hold them instead of paths, because every command in the overlay can read the options. */
const PARTS = { lower: 'lower', upper: 'upper', work: 'work', merged: 'merged' } as const;

/** Without redirects and metadata copies, whatever the kernel's defaults are, the changes are whole files. */
const OPTIONS = `upperdir=${PARTS.upper},workdir=${PARTS.work},userxattr,index=off,xino=off`;

/** Mounts an overlay (`+`) or memory (`=`) at the directory that each line names, and unmounts (`-`) overlays, as long as the harness lives. */
const KEEP_SPACE = `
trap '' HUP INT TERM
mount=$1 umount=$2
lay() {
  n=0 lower=
  while [ -L "${PARTS.lower}/$n" ]; do
    lower=$lower\${lower:+:}${PARTS.lower}/$n
    n=$((n+1))
  done
  "$mount" -n -t overlay -o "lowerdir=$lower,${OPTIONS}" overlay "${PARTS.merged}"
}
echo open
while IFS= read -r line; do
  cd "\${line#?}" && case $line in
    +*) lay ;;
    =*) "$mount" -n -t tmpfs -o mode=755 memory "$PWD" ;;
    *) "$umount" -n "${PARTS.merged}" ;;
  esac && echo done || echo failed
  cd /
done
`;

/**
 * A mount namespace in which directories are laid over each other. No other process sees its mounts, and they are gone with this process, however it
 * ends. A caller who is not root also gets a user namespace, in which they may mount.
 */
export class OverlaySpace {
  readonly #keeper: ChildProcess;
  readonly #tools: SpaceTools;
  readonly #answers: AsyncIterator<string>;
  readonly #owner: UserIdentity | null;
  #overlays: readonly Overlay[] = [];
  readonly #plainLayers = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    keeper: ChildProcess,
    tools: SpaceTools,
    answers: AsyncIterator<string>,
    owner: UserIdentity | null,
  ) {
    this.#keeper = keeper;
    this.#tools = tools;
    this.#answers = answers;
    this.#owner = owner;
  }

  /** `owner`: root only, whom the overlays are to belong to. Null: this machine does not allow it. */
  static async open(path: string, owner: UserIdentity | null = null): Promise<OverlaySpace | null> {
    const ownsUsers = process.getuid?.() !== 0;
    const tools = findTools(path);
    if (tools === null || (!ownsUsers && !countsProcessesBySandbox(release()))) return null;
    const keeper = spawnCommand({
      file: tools.unshare,
      args: [
        ...(ownsUsers ? ['--user', '--map-root-user'] : []),
        '--mount',
        '--',
        '/bin/sh',
        '-c',
        KEEP_SPACE,
        'seatrial-space',
        tools.mount,
        tools.umount,
      ],
      env: { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      identity: null,
      ownGroup: true,
    });
    keeper.on('error', () => {});
    keeper.stdin?.on('error', () => {});
    if (keeper.stdout === null) return null;
    const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
    const first = await answers.next();
    if (first.value !== 'open') return null;
    keeper.unref();
    for (const pipe of [keeper.stdin, keeper.stdout]) if (pipe instanceof Socket) pipe.unref();
    return new OverlaySpace(keeper, tools, answers, owner);
  }

  /**
   * Lays a layer of changes over read-only ones, the first on top. `place`: where the changes are kept, and maybe were before. Null: the kernel
   * refuses.
   */
  async mount(place: string, layers: readonly string[]): Promise<Overlay | null> {
    if (place.includes('\n') || !keepsMarks(dirname(place))) return null;
    layOut(place, layers, this.#owner);
    const asked = this.#turn.then(() => this.#ask(`+${place}`));
    this.#turn = asked.catch(() => {});
    if ((await asked) !== 'done') return null;
    const merged = join(place, PARTS.merged);
    const view = `/proc/${this.#keeper.pid}/root${merged}`;
    if (!canList(view)) return null;
    const overlay = { merged, view, changes: changesIn(place), layers: [changesIn(place), ...layers] };
    this.#overlays = [...this.#overlays, overlay];
    return overlay;
  }

  /**
   * Files in memory at a new directory, which can be a layer: for what is large and thrown away. Gives where this process finds them. Null:
   * the kernel refuses.
   */
  async mountMemory(place: string): Promise<string | null> {
    if (place.includes('\n')) return null;
    mkdirSync(place);
    const asked = this.#turn.then(() => this.#ask(`=${place}`));
    this.#turn = asked.catch(() => {});
    const view = `/proc/${this.#keeper.pid}/root${place}`;
    return (await asked) === 'done' && canList(view) ? view : null;
  }

  /** The changes stay where they are. */
  async unmount(overlay: Overlay): Promise<void> {
    const asked = this.#turn.then(() => this.#ask(`-${dirname(overlay.merged)}`));
    this.#turn = asked.catch(() => {});
    this.#overlays = this.#overlays.filter((one) => one !== overlay);
    await asked;
  }

  /** Lets a directory of this machine be a layer. It must not change. */
  addLayer(dir: string): void {
    this.#plainLayers.add(dir);
  }

  /** The layers that make up a directory, the first on top. Null: it is none that can be laid under another. */
  layersOf(dir: string): readonly string[] | null {
    return this.overlayAt(dir)?.layers ?? (this.#plainLayers.has(dir) ? [dir] : null);
  }

  async #ask(line: string): Promise<string | null> {
    // Only an answer that is waited for keeps this process from ending.
    const { stdin, stdout } = this.#keeper;
    if (stdout instanceof Socket) stdout.ref();
    stdin?.write(`${line}\n`);
    const answer: IteratorResult<string, unknown> = await this.#answers.next();
    if (stdout instanceof Socket) stdout.unref();
    return answer.done === true ? null : answer.value;
  }

  /** The overlay that a path names, as commands or as this process see it. */
  overlayAt(path: string): Overlay | null {
    return this.#overlays.find(({ merged, view }) => path === merged || path === view) ?? null;
  }

  /** The overlay whose changes a layer holds. Null: it holds no changes. */
  overlayOf(layer: string): Overlay | null {
    return this.#overlays.find(({ changes }) => changes === layer) ?? null;
  }

  /** Where commands that enter the space find what this process has at a path of an overlay. Null: the path is of no overlay. */
  insidePath(path: string): string | null {
    const overlay = this.#overlays.find(({ view }) => isWithin(path, view));
    return overlay === undefined ? null : `${overlay.merged}${path.slice(overlay.view.length)}`;
  }

  /** The words before a command that let it see what is mounted here. */
  get entering(): readonly string[] {
    const at = `/proc/${this.#keeper.pid}/ns`;
    const users = process.getuid?.() !== 0 ? [`--user=${at}/user`, '--preserve-credentials'] : [];
    return [this.#tools.nsenter, ...users, `--mount=${at}/mnt`, '--'];
  }

  /** Its mounts can be used: the process that keeps them lives. */
  get isOpen(): boolean {
    const { pid, exitCode, signalCode } = this.#keeper;
    return exitCode === null && signalCode === null && existsSync(`/proc/${pid}/root/`);
  }

  close(): void {
    this.#keeper.kill('SIGKILL');
  }
}

function findTools(path: string): SpaceTools | null {
  const [unshare, nsenter, mount, umount] = ['unshare', 'nsenter', 'mount', 'umount'].map((name) =>
    findProgram(name, `${path}:${SYSTEM_PATH}`),
  );
  return unshare && nsenter && mount && umount ? { unshare, nsenter, mount, umount } : null;
}

const TMPFS = 0x0102_1994;

/** The kernel marks replaced directories by attributes, which files in memory cannot have before Linux 6.6. */
function keepsMarks(dir: string): boolean {
  return statfsSync(dir).type !== TMPFS || isSince(release(), 6, 6);
}

/** Some machines keep this process from looking into the namespaces of its own children. */
function canList(dir: string): boolean {
  try {
    readdirSync(dir);
    return true;
  } catch {
    return false;
  }
}

/** Sandboxes over the same files run as the same user. Before Linux 5.14 the processes of one would count for the limit of the other. */
const countsProcessesBySandbox = (kernel: string): boolean => isSince(kernel, 5, 14);

function isSince(kernel: string, wantedMajor: number, wantedMinor: number): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** Where the changes of an overlay are kept. */
const changesIn = (place: string): string => join(place, PARTS.upper);

function layOut(place: string, layers: readonly string[], owner: UserIdentity | null): void {
  rmSync(join(place, PARTS.lower), { recursive: true, force: true });
  for (const name of Object.values(PARTS)) mkdirSync(join(place, name), { recursive: true, mode: 0o755 });
  for (const [index, layer] of layers.entries()) {
    symlinkSync(layer, join(place, PARTS.lower, String(index)));
  }
  // Permissions and owner of the directory itself are those of the uppermost layer.
  chmodSync(changesIn(place), 0o755);
  if (owner !== null) lchownSync(changesIn(place), owner.uid, owner.gid);
}
