import { closeSync, openSync, readFileSync } from 'node:fs';

/** Of IPv4 and of IPv6. */
const FILES = ['snmp', 'snmp6'] as const;

/**
 * What the kernel counts for the network of a sandbox that has none. The files are opened while its first process waits, and stay readable
 * after the last one is gone.
 */
export class NetworkCounters {
  readonly #files: readonly number[];

  private constructor(files: readonly number[]) {
    this.#files = files;
  }

  /** Null: they cannot be read on this machine. */
  static open(pid: number): NetworkCounters | null {
    const opened: number[] = [];
    try {
      for (const name of FILES) opened.push(openSync(`/proc/${pid}/net/${name}`, 'r'));
      return new NetworkCounters(opened);
    } catch {
      for (const file of opened) closeSync(file);
      return null;
    }
  }

  /** Whether something was to be sent to where no way leads, or a name server was asked that is not there. */
  close(): boolean {
    const texts = this.#files.map((file) => readFileSync(file, 'utf8'));
    for (const file of this.#files) closeSync(file);
    return texts.some(tellsOfReachingOut);
  }
}

const COUNTED = /^(?:Ip OutNoRoutes|Ip6OutNoRoutes|Udp NoPorts|Udp6NoPorts)$/;

/** Reads both layouts: a line of names above a line of numbers, or a name and a number in each line. */
export function tellsOfReachingOut(text: string): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const [first = '', second = ''] = line.split(/\s+/);
    if (!first.endsWith(':')) return COUNTED.test(first) && second !== '0';
    const names = line.split(/\s+/);
    const numbers = (lines[index + 1] ?? '').split(/\s+/);
    if (numbers[0] !== first || /^-?\d+$/.test(second)) return false;
    return names.some((name, at) => COUNTED.test(`${first.slice(0, -1)} ${name}`) && numbers[at] !== '0');
  });
}
