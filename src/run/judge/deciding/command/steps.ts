import type { Readers } from '../../../../task/project-files.ts';
import type { BaseTree, PathSet } from '../facts.ts';

/** One thing that a command runs or names. */
export interface CommandStep {
  /** The file of the tree; null: a program from outside. */
  readonly file: string | null;
  /**
   * `runner`: it is a test runner or leads to one; `decides`: it is named to a runner, or says what a command means; `other`: it depends on
   * what comes after it.
   */
  readonly kind: 'runner' | 'decides' | 'other';
  /** The script of the tree that runs it; absent: the command itself, a Makefile or a package script does. */
  readonly by?: string;
}

export const OTHER_PROGRAM: readonly CommandStep[] = [{ file: null, kind: 'other' }];
export const MAX_STEP_DEPTH = 8;

/** A walk through the files of a tree, each entered once. */
export class CommandWalk {
  readonly tree: Readers;
  readonly files: PathSet;
  readonly #entered = new Set<string>();

  constructor(tree: Readers & Partial<Pick<BaseTree, 'index'>>) {
    this.tree = tree;
    this.files = tree.index?.files ?? new Set(tree.paths);
  }

  read(path: string | null): string {
    return path === null ? '' : (this.tree.read(path) ?? '');
  }

  /** Files, and targets of Makefiles and package scripts as `<file>#<name>`. */
  get entered(): readonly string[] {
    return [...this.#entered];
  }

  /** False: it was entered before. */
  enter(name: string): boolean {
    if (this.#entered.has(name)) return false;
    this.#entered.add(name);
    return true;
  }
}
