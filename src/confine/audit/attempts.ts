import type { Attempts } from '../../evidence/schema/no-target.ts';
import { pathText } from '../../kernel/path-text.ts';
import { isWithin } from '../bwrap/mount-masks.ts';
import { addressesOf, type TracedCall } from './line.ts';
import type { Places } from './places.ts';

/** More different ones than this of either kind are counted, not listed. */
const MAX_LISTED = 500;

/** Before anything was traced, and for a trace that never began. */
export const NOTHING_TRACED: Attempts = {
  complete: false,
  calls: 0,
  paths: [],
  connections: [],
  not_listed: { paths: 0, connections: 0 },
  unresolved: 0,
};

export interface Wanted {
  /** Paths of this machine that are nobody's business inside. */
  readonly targets: readonly string[];
  /** The one address that may be connected to. */
  readonly way: string | null;
}

/** Sifts a trace: what was tried below the targets, and whom the command tried to reach. */
export class Sieve {
  readonly #targets: readonly string[];
  readonly #way: string | null;
  readonly #places: Places;
  readonly #paths = new Tally<Attempts['paths'][number]>();
  readonly #connections = new Tally<Attempts['connections'][number]>();
  #calls = 0;
  #unresolved = 0;

  constructor({ targets, way }: Wanted, places: Places) {
    this.#targets = targets.map((target) => Buffer.from(target).toString('latin1'));
    this.#way = way;
    this.#places = places;
  }

  take(pid: number, call: TracedCall): void {
    this.#calls += 1;
    const result = call.result ?? 'not seen to end';
    for (const address of addressesOf(call).filter((known) => known !== this.#way))
      this.#connections.add({ call: call.name, address: text(address), result, count: 1 });
    for (const passed of touches(call) ? this.#places.reached(pid, call) : []) {
      if (passed === null) this.#unresolved += 1;
      const below = passed?.findLast((place) => this.#targets.some((target) => isWithin(place, target)));
      if (below !== undefined) this.#paths.add({ call: call.name, path: text(below), result, count: 1 });
    }
    this.#places.note(pid, call);
  }

  gone(pid: number): void {
    this.#places.forget(pid);
  }

  found(complete: boolean): Attempts {
    return {
      complete,
      calls: this.#calls,
      paths: this.#paths.listed,
      connections: this.#connections.listed,
      not_listed: { paths: this.#paths.notListed, connections: this.#connections.notListed },
      unresolved: this.#unresolved + this.#places.forgotten,
    };
  }
}

/** Equal ones count as one. */
class Tally<T extends { count: number }> {
  readonly #listed = new Map<string, T>();
  notListed = 0;

  add(attempt: T): void {
    const key = JSON.stringify(attempt);
    const known = this.#listed.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#listed.size < MAX_LISTED) this.#listed.set(key, { ...attempt });
    else this.notListed += 1;
  }

  get listed(): T[] {
    return [...this.#listed.values()];
  }
}

/** An address may be a path too; it is listed as an address. What `getcwd` says was not asked for by name. */
const touches = ({ name }: TracedCall): boolean => !/^(connect|send|getcwd|clone)/.test(name);

const text = (bytes: string): string => pathText(Buffer.from(bytes, 'latin1'));
