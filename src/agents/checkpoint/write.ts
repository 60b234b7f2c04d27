import { dirname } from 'node:path';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import type { Clock } from '../../kernel/clock.ts';
import { checkpointFile } from '../protocol/paths.ts';
import { type Checkpoint, encodeCheckpoint } from './format.ts';

const WRITE_EVERY_MS = 2000;

/** Keeps the checkpoint of a project up to date. It saves time and nothing else, so a failure to write it is no fault. */
export class CheckpointWriter {
  readonly #build: string | null;
  readonly #clock: Clock;
  #written: { readonly config: string; readonly journal: string; readonly at: number } | null = null;

  /** `build` null: none is written. */
  constructor(build: string | null, clock: Clock) {
    this.#build = build;
    this.#clock = clock;
  }

  /** Not more often than every other second, while facts come thick and fast. */
  keep(checkpoint: Checkpoint): void {
    if (this.#build === null) return;
    const { fileSha256: config } = checkpoint.project;
    const { sha256: journal } = checkpoint.position;
    const at = this.#clock.mono();
    const before = this.#written;
    if (before !== null && before.config === config && before.journal === journal) return;
    if (before !== null && at - before.at < WRITE_EVERY_MS) return;
    this.#written = { config, journal, at };
    const path = checkpointFile(checkpoint.project);
    try {
      makeDirs(dirname(path));
      writeWhole(path, encodeCheckpoint(checkpoint, this.#build));
    } catch {
      // The journal has what matters.
    }
  }
}
