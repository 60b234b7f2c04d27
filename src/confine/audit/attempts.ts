import type { Attempts } from '../../evidence/schema/no-target.ts';
import { isWithin, pathText } from '../../kernel/path-text.ts';
import { addressesOf, type TracedCall } from './line.ts';
import { makesLink, type Places } from './places.ts';

/** Limit of distinct entries listed per kind; further ones are only counted. */
const MAX_LISTED = 500;

/** The result before tracing starts, and of a trace that never started. */
export const NOTHING_TRACED: Attempts = {
  complete: false,
  calls: 0,
  paths: [],
  connections: [],
  not_listed: { paths: 0, connections: 0 },
  unresolved: 0,
};

export interface Wanted {
  /** Host paths that no confined command has a reason to use. */
  readonly targets: readonly string[];
  /** The only address that the command may connect to. */
  readonly way: string | null;
}

/** Collects from a trace the attempts on paths below the targets, and the addresses that the command tried to reach. */
export class Sieve {
  readonly #targets: readonly string[];
  readonly #way: string | null;
  readonly #places: Places;
  /** Apart, so that failed attempts cannot crowd out one that succeeded. */
  readonly #reached = new Tally<Attempts['paths'][number]>();
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
    for (const [index, passed] of (touches(call) ? this.#places.reached(pid, call) : []).entries()) {
      if (passed === null) this.#unresolved += 1;
      const below = passed?.findLast((place) => this.#targets.some((target) => isWithin(place, target)));
      if (below === undefined) continue;
      // Making a link does not look at what it points to.
      const isOnlyNamed = index === 0 && makesLink(call) && result === 'ok';
      const attempt = { call: call.name, path: text(below), result: isOnlyNamed ? 'link made' : result, count: 1 };
      (attempt.result === 'ok' ? this.#reached : this.#paths).add(attempt);
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
      paths: [...this.#reached.listed, ...this.#paths.listed],
      connections: this.#connections.listed,
      not_listed: { paths: this.#reached.notListed + this.#paths.notListed, connections: this.#connections.notListed },
      unresolved: this.#unresolved + this.#places.forgotten,
    };
  }
}

/** Merges equal entries. */
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

/** Excludes socket paths, which are listed as addresses, and the path that `getcwd` returns, which the command did not name. */
const touches = ({ name }: TracedCall): boolean => !/^(connect|send|getcwd|clone)/.test(name);

const text = (bytes: string): string => pathText(Buffer.from(bytes, 'latin1'));
