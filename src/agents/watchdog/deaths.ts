import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

const RETRY_MS = 50;

/**
 * Notices the end of panes within milliseconds: each pane's script holds a FIFO open for as long as it lives. Only a hint, never a fact: the
 * caller looks at the session before it acts, and looks regularly anyway.
 */
export class DeathWatch {
  readonly #watched = new Map<string, Socket | NodeJS.Timeout>();
  readonly #onDeath: (spawn: string) => void;

  constructor(onDeath: (spawn: string) => void) {
    this.#onDeath = onDeath;
  }

  /** Watches exactly these, by spawn. */
  follow(fifos: ReadonlyMap<string, string>): void {
    for (const spawn of this.#watched.keys()) if (!fifos.has(spawn)) this.#drop(spawn);
    for (const [spawn, path] of fifos) if (!this.#watched.has(spawn)) this.#open(spawn, path);
  }

  close(): void {
    for (const spawn of this.#watched.keys()) this.#drop(spawn);
  }

  #open(spawn: string, path: string): void {
    let fd: number;
    try {
      fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
      return; // not made yet, or gone: the regular look finds out
    }
    let socket: Socket;
    try {
      socket = new Socket({ fd, readable: true, writable: false });
    } catch {
      closeSync(fd);
      return;
    }
    this.#watched.set(spawn, socket);
    let up = false;
    const ended = (): void => {
      if (this.#watched.get(spawn) !== socket) return;
      socket.destroy();
      this.#watched.delete(spawn);
      if (up) this.#onDeath(spawn);
      // The script has not opened it yet.
      else
        this.#watched.set(
          spawn,
          setTimeout(() => this.#again(spawn, path), RETRY_MS),
        );
    };
    socket.on('data', () => (up = true));
    socket.on('end', ended).on('error', ended);
    // A script that said so to an earlier reader says nothing more.
    setTimeout(() => (up = true), RETRY_MS).unref();
  }

  #again(spawn: string, path: string): void {
    this.#watched.delete(spawn);
    this.#open(spawn, path);
  }

  #drop(spawn: string): void {
    const watched = this.#watched.get(spawn);
    this.#watched.delete(spawn);
    if (watched instanceof Socket) watched.destroy();
    else clearTimeout(watched);
  }
}
