import { readdirSync } from 'node:fs';
import { parentPid } from './descendants.ts';

/** Which process was started by which, read once to be asked about many: a look at /proc for each of them takes as long as the first. */
export class ProcessTree {
  readonly #children = new Map<number, number[]>();

  constructor() {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const parent = parentPid(Number(name));
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [Number(name)]);
      else siblings.push(Number(name));
    }
  }

  /** Without the process itself. */
  below(pid: number): number[] {
    return (this.#children.get(pid) ?? []).flatMap((child) => [child, ...this.below(child)]);
  }
}
