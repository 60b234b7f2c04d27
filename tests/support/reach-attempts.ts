import { randomBytes } from 'node:crypto';

/** What an attempt goes for. All of it belongs to the machine and none of it to the one who tries. */
export interface Prey {
  /** Stands, with a word after it, in every file, argument and variable that nobody inside may see. */
  readonly canary: string;
  /** Directories to be searched for it, as a shell pattern. */
  readonly searched: string;
  /** Files and directories to be read. */
  readonly paths: readonly string[];
  /** Directories to be written to. */
  readonly dirs: readonly string[];
  readonly bystander: number;
  readonly port: number;
  readonly socket: string;
  /** How long a process that is left behind would sleep: it is known by that. */
  readonly nap: string;
}

export function newCanary(): string {
  return `canary${randomBytes(12).toString('hex')}`;
}

/**
 * A shell script that tries to get at all of it and prints a line with `!` for everything it got. It never holds the canary as a whole:
 * what it finds is not itself.
 */
export function attempts(prey: Prey): string {
  const half = prey.canary.length / 2;
  return `
who=$1
canary=${prey.canary.slice(0, half)}; canary=\${canary}${prey.canary.slice(half)}
got() { echo "! $who $*"; }

read_all() {
  while IFS= read -r path; do
    for way in "$path" "/proc/1/root$path" "/proc/self/root$path"; do
      if [ -d "$way" ]; then
        [ -z "$(ls -A "$way" 2>/dev/null)" ] || got listed "$path"
      elif [ -s "$way" ] && head -c 1 "$way" >/dev/null 2>&1; then got read "$path"; fi
    done
  done
}
read_all <<'PATHS'
${prey.paths.join('\n')}
PATHS

for dir in ${prey.searched}; do
  case $dir in /proc | /sys | /dev | /usr | /bin | /sbin | /lib*) continue ;; esac
  grep -raos "$canary-[a-z][a-z]*" "$dir" | while IFS= read -r line; do got found "$line"; done
done
cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | grep -ao "$canary-[a-z][a-z]*" | while read -r word; do got saw "$word"; done
tr '\\0' ' ' </proc/1/cmdline | grep -aoE '(/tmp|/var|/root|/home)/[^ ]*' | while read -r path; do got told "$path"; done

write_all() {
  while IFS= read -r dir; do
    (: >"$dir/$canary-written") 2>/dev/null && got wrote "$dir"
  done
}
write_all <<'FOLDERS'
${prey.dirs.join('\n')}
FOLDERS

[ ! -d /proc/${prey.bystander} ] || got process ${prey.bystander}
kill -0 ${prey.bystander} 2>/dev/null && got signalled ${prey.bystander}
kill -9 ${prey.bystander} 2>/dev/null
unshare -Ur true 2>/dev/null && got nested namespace

python3 -I - <<PYTHON
import socket
def go(name, family, address):
    s = socket.socket(family)
    s.settimeout(2)
    try:
        s.connect(address)
        s.close()
        print("! $who connected to", name, flush=True)
    except OSError:
        pass
go("the loopback", socket.AF_INET, ("127.0.0.1", ${prey.port}))
go("a socket file", socket.AF_UNIX, "${prey.socket}")
PYTHON

setsid sleep ${prey.nap} >/dev/null 2>&1 </dev/null &
echo "tried $who"
`;
}

/** Everything that was got, by whom, in the text that a run left. */
export function gains(text: string, who: string): string[] {
  if (!text.includes(`tried ${who}`)) throw new Error(`${who} did not try to the end:\n${text}`);
  const start = `! ${who} `;
  const lines = text.split('\n').filter((line) => line.startsWith(start));
  return [...new Set(lines.map((line) => line.slice(start.length)))].toSorted();
}
