import type { SandboxSpec } from '../types.ts';

/** A command with an additional channel for the program that wraps it; the command itself never gets the channel. */
export interface WithChannel {
  readonly spec: SandboxSpec;
  readonly fd: number;
  /** Descriptors of the existing channels. */
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

/** Shell redirections that close these descriptors. */
export const closing = (fds: readonly number[]): string => fds.map((fd) => `${fd}>&-`).join(' ');
