import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount, SandboxMachine } from '../../../confine/types.ts';
import { drawOne, someWord } from './random-words.ts';
import { readOnly } from './layout.ts';

/** Directories that a system has beside those that a sandbox needs. */
const USUAL_DIRS = [
  '/boot',
  '/media',
  '/mnt',
  '/opt',
  '/root',
  '/run/user/1000',
  '/srv',
  '/var/lib',
  '/var/log',
  '/var/spool',
];
const SOME_DIRS = ['/lost+found', '/snap', '/data', '/nix', '/efi', '/cdrom', '/export', '/initrd'];

/**
 * What programs find when they look around on a machine that people use. Another one in each process: code that knew the values would
 * behave where it sees them.
 */
export const MACHINE: SandboxMachine = {
  hostname: `${someWord()}${drawOne('', '-pc', '-laptop', String(randomInt(1, 40)))}`,
  dirs: [
    ...USUAL_DIRS,
    ...SOME_DIRS.filter(() => randomInt(3) === 0),
    ...[drawOne('eth0', 'enp3s0', 'eno1'), drawOne('wlan0', 'wlp2s0', 'docker0')].map(
      (name) => `/sys/class/net/${name}`,
    ),
    '/sys/class/net/lo',
    '/sys/devices/virtual',
    '/sys/fs/cgroup',
  ],
};

/** A condition of the shell: it runs where this machine is shown. */
export const IS_MACHINE = `grep -qx ${MACHINE.hostname} /etc/hostname 2>/dev/null`;

/** The files of its /etc, for a user of that name, and what it says about its hardware. */
export function machineMounts(scratch: string, user: string, home: string): readonly Mount[] {
  const dir = join(scratch, 'machine');
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const files: Readonly<Record<string, string>> = {
    hostname: `${MACHINE.hostname}\n`,
    hosts: `127.0.0.1 localhost\n127.0.1.1 ${MACHINE.hostname}\n::1 localhost ip6-localhost\n`,
    'machine-id': `${randomBytes(16).toString('hex')}\n`,
    'resolv.conf': `nameserver 192.168.${randomInt(2, 200)}.1\n`,
    passwd: `root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n${user}:x:1000:1000:${user}:${home}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
    group: `root:x:0:\nsudo:x:27:${user}\n${user}:x:1000:\nnogroup:x:65534:\n`,
    fstab: 'UUID=0f3a /  ext4 errors=remount-ro 0 1\n',
    timezone: 'Etc/UTC\n',
    shells: '/bin/sh\n/bin/bash\n',
  };
  const all = [
    ...Object.entries(files).map(([name, text]) => [`/etc/${name}`, text] as const),
    ...Object.entries(hardware()),
  ];
  return all.map(([target, text]) => {
    const path = join(dir, target.replaceAll('/', '-').slice(1));
    writeFileSync(path, text, { mode: 0o644 });
    return readOnly(path, target);
  });
}

/** Files that describe a large machine, by path: code that works only on a small one, as judges have, finds more processors and memory here. */
function hardware(): Readonly<Record<string, string>> {
  const processors = Array.from({ length: randomInt(65, 90) }, (_, at) => at);
  const total = randomInt(3000, 4000) * 1024 * 1024;
  const times = (): string => `${randomInt(1e6, 9e6)} 12 ${randomInt(1e5, 9e5)} ${randomInt(1e7, 9e7)} 420 0 310 0 0 0`;
  const model = 'model name\t: Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz\ncpu MHz\t\t: 2300.000\n';
  return {
    '/sys/devices/system/cpu/online': `0-${processors.length - 1}\n`,
    '/proc/meminfo': `MemTotal: ${total} kB\nMemFree: ${Math.round(total * 0.6)} kB\nMemAvailable: ${Math.round(total * 0.8)} kB\nBuffers: 1024 kB\nCached: 4096 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n`,
    '/proc/cpuinfo': processors.map((at) => `processor\t: ${at}\nvendor_id\t: GenuineIntel\n${model}\n`).join(''),
    '/proc/stat': `cpu  ${times()}\n${processors.map((at) => `cpu${at} ${times()}\n`).join('')}ctxt 1990473\nbtime ${Math.floor(Date.now() / 1000) - randomInt(86_400, 8_640_000)}\nprocesses ${randomInt(9000, 90_000)}\nprocs_running 2\nprocs_blocked 0\n`,
  };
}
