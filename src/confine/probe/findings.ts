/** Where the probe finds the program that tries what the system call filter refuses. */
export const ATTEMPTS = '/attempts';

/**
 * The probe script. It starts few programs, so that it costs little more than an empty command. It reads
 * the nonce and the paths that must not be visible from stdin: as arguments they would appear in /proc/1/cmdline, which
 * it checks as well.
 */
export const PROBE_SCRIPT = `
IFS= read -r nonce; echo "nonce $nonce"
n=0
while IFS= read -r path; do
  if [ -d "$path" ]; then
    for entry in "$path"/* "$path"/.[!.]*; do
      if [ -e "$entry" ] || [ -L "$entry" ]; then echo "visible $n"; break; fi
    done
  elif [ -s "$path" ] || [ -L "$path" ]; then echo "visible $n"; fi
  n=$((n+1))
done
echo "looked $n"
for place in / /etc /usr /dev; do { true >"$place/.seatrial-probe" && echo "writable $place"; } 2>/dev/null; done
while IFS= read -r words || [ -n "$words" ]; do echo "first $words"; done </proc/1/cmdline
if [ -e ${ATTEMPTS} ]; then ${ATTEMPTS}; echo "attempts $?"; fi
ls -l /proc/self/ns
exec grep . /proc/self/net/dev /proc/self/status /proc/self/mountinfo
`;

export interface ProbeFindings {
  readonly nonce: string | null;
  readonly looked: number;
  readonly visible: readonly number[];
  readonly writable: readonly string[];
  readonly interfaces: readonly string[];
  readonly capabilities: readonly string[];
  readonly namespaces: Readonly<Record<string, string>>;
  /** The exit code of the program at ATTEMPTS; null: it did not run. */
  readonly attempts: number | null;
  /** The command line of process 1, without the separators between its arguments. */
  readonly firstCommandLine: string;
  readonly mounts: readonly string[];
}

export function readFindings(output: string): ProbeFindings {
  const lines = output.split('\n');
  const after = (start: string): string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length).trim());
  const namespaces = lines.flatMap((line) => {
    const [, name, id] = /(\w+) -> (\w+:\[\d+\])$/.exec(line) ?? [];
    return name === undefined || id === undefined ? [] : [[name, id] as const];
  });
  return {
    nonce: after('nonce ')[0] ?? null,
    looked: Number(after('looked ')[0] ?? -1),
    visible: after('visible ').map(Number),
    writable: after('writable '),
    interfaces: after('/proc/self/net/dev:').flatMap((row) => /^(\S+):/.exec(row)?.[1] ?? []),
    capabilities: after('/proc/self/status:Cap').map((row) => row.split(/\s+/)[1] ?? ''),
    namespaces: Object.fromEntries(namespaces),
    attempts: after('attempts ').map(Number)[0] ?? null,
    firstCommandLine: after('first ').join('\n'),
    mounts: after('/proc/self/mountinfo:'),
  };
}

export interface ProbeExpectations {
  readonly nonce: string;
  readonly invisible: readonly string[];
  /** The harness's namespaces; the command must not share any of them. */
  readonly ownNamespaces: Readonly<Record<string, string>>;
  /** System calls are filtered. */
  readonly filtered: boolean;
  /** Host paths that would reveal something about this machine. */
  readonly secretPaths: readonly string[];
}

const MUST_DIFFER = ['user', 'pid', 'net', 'ipc', 'uts', 'mnt'];

/** All faults. Empty: the sandbox is sound. */
export function faultsOf(findings: ProbeFindings, expected: ProbeExpectations): string[] {
  const shared = MUST_DIFFER.filter((name) => {
    const inside = findings.namespaces[name];
    return inside === undefined || inside === '' || inside === expected.ownNamespaces[name];
  });
  const named = expected.secretPaths.filter((path) => findings.firstCommandLine.includes(path));
  const able = findings.capabilities.filter((set) => !/^0+$/.test(set));
  return [
    ...(findings.nonce === expected.nonce ? [] : ['the nonce did not come back']),
    ...(findings.looked === expected.invisible.length && findings.mounts.length > 0
      ? []
      : ['the probe did not come to its end']),
    ...findings.visible.map((index) => `visible inside: ${expected.invisible[index] ?? `path ${index}`}`),
    ...findings.writable.map((place) => `writable inside: ${place}`),
    ...(findings.interfaces.includes('lo') ? [] : ['the network could not be looked at']),
    ...findings.interfaces.filter((name) => name !== 'lo').map((name) => `network interface inside: ${name}`),
    ...(findings.capabilities.length > 0 && able.length === 0 ? [] : ['capabilities were not dropped']),
    ...(expected.filtered ? attemptFaults(findings.attempts) : []),
    ...shared.map((name) => `${name} namespace is shared with the harness`),
    ...named.map((path) => `the first process names a path of this machine: ${path}`),
  ];
}

function attemptFaults(exitCode: number | null): string[] {
  if (exitCode === null || exitCode > 3) return ['the system call filter could not be tried'];
  return [
    ...((exitCode & 1) === 0 ? [] : ["the caller's keyring can be reached"]),
    ...((exitCode & 2) === 0 ? [] : ['sockets of the virtual machine can be opened']),
  ];
}
