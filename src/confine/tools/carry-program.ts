import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { runToolNow } from '../processes/spawn.ts';
import type { Mount } from '../types.ts';

/** A program of this machine that runs with its own libraries, whatever system is inside. */
export interface CarriedProgram {
  /** Shell words that start it. */
  readonly command: string;
  readonly mounts: readonly Mount[];
}

/** `target`: a directory inside that nothing else uses. */
export function carryProgram(program: string, target: string): CarriedProgram {
  const at = (name: string): string => `${target}/${name}`;
  const bind = (source: string, name: string): Mount => ({
    source: realpathSync(source),
    target: at(name),
    mode: 'ro',
  });
  const lines = runToolNow('ldd', [program]).stdout.split('\n');
  const libraries = lines.flatMap((line) => {
    const [, name, source] = /^\s*(\S+) => (\/\S+)/.exec(line) ?? [];
    return name === undefined || source === undefined ? [] : [bind(source, name)];
  });
  const loader = lines.flatMap((line) => /^\s*(\/\S+) \(/.exec(line)?.[1] ?? [])[0];
  const mounts = [bind(program, basename(program)), ...libraries];
  if (loader === undefined) return { command: at(basename(program)), mounts };
  const loaderName = basename(loader);
  return {
    command: `${at(loaderName)} --library-path ${target} ${at(basename(program))}`,
    mounts: [...mounts, bind(loader, loaderName)],
  };
}
