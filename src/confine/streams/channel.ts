import type { SandboxSpec } from '../types.ts';

/** A command with one channel more, which whatever is put before the command uses and the command itself never gets. */
export interface WithChannel {
  readonly spec: SandboxSpec;
  readonly fd: number;
  /** The descriptors of the channels that were there before. */
  readonly before: readonly number[];
}

const FIRST = 3;

export function addChannel(spec: SandboxSpec): WithChannel {
  const there = spec.channels ?? 0;
  return {
    spec: { ...spec, channels: there + 1 },
    fd: FIRST + there,
    before: Array.from({ length: there }, (_, index) => FIRST + index),
  };
}

/** For a shell: without these descriptors. */
export const closing = (fds: readonly number[]): string => fds.map((fd) => `${fd}>&-`).join(' ');
