import type { RunnerCommand } from '../runners/definition.ts';
import type { PlacedText } from './expand/expansion.ts';

/** One part of a test command. */
export interface TestStep {
  /** `tests`: reports by test id. `other`: has to succeed, by its exit code. */
  readonly kind: 'tests' | 'other';
  /** As a person would type it in the directory it runs in. */
  readonly text: string;
  readonly command: RunnerCommand;
}

/** What a test command asks for. */
export type TestPlan =
  | { readonly kind: 'steps'; readonly steps: readonly TestStep[] }
  /** No known runner: the command runs as it is and reports its tests itself, or nothing but an exit code. */
  | { readonly kind: 'script'; readonly command: RunnerCommand }
  | { readonly kind: 'missing'; readonly what: string | null }
  /** Its exit code says nothing about some failures. */
  | { readonly kind: 'hides_failures'; readonly why: string };

/** A text for the shell, to be run in its directory. */
export interface ShellStep extends PlacedText {
  readonly kind: 'shell';
  /** It comes from a package.json, whose scripts are written for Node. */
  readonly usesNode: boolean;
  /** It prints at most: beside tests it can be left out. */
  readonly doesNothing: boolean;
}
