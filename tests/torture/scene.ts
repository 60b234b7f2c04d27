import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CallOptions, Place } from '../support/seatrial.ts';
import type { Scene } from './examine.ts';
import { processesAt } from './processes.ts';
import { layTasks } from './workloads.ts';

/** A machine of its own: home, project, runs directory and a directory for temporary files. */
export class Ground {
  readonly place = new Place();
  readonly tmp = join(this.place.root, 'tmp');
  readonly options: CallOptions;

  constructor(user: 'caller' | 'plain') {
    mkdirSync(this.tmp);
    layTasks(this.place);
    chmodSync(this.place.root, 0o755);
    const asRoot = process.getuid?.() === 0;
    const env = { TMPDIR: this.tmp };
    this.options = user === 'plain' && asRoot ? { env, uid: this.place.giveToPlainUser() } : { env };
  }

  /** What is here now counts as earlier. */
  scene(): Scene {
    const { place, tmp, options } = this;
    return { place, tmp, options, earlier: new Set(place.runDirs()) };
  }

  async remove(): Promise<void> {
    for (let tries = 0; processesAt(this.place.root).length > 0 && tries < 500; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const dir of [this.place.runs, this.tmp]) spawnSync('umount', ['--quiet', '--lazy', dir]);
    this.place.remove();
  }

  /** Makes a directory below the place that belongs to whoever runs there. */
  dir(path: string): string {
    mkdirSync(path, { recursive: true });
    if (this.options.uid !== undefined) chownSync(path, this.options.uid, this.options.uid);
    return path;
  }
}
