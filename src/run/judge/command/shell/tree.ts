import type { Word } from './lex.ts';

/** A shell command, as far as it matters here: what runs after what, and whose exit code counts. */
export type ShellNode = Simple | Pipeline | AndOr | Sequence | Loop | Condition | Definition;

export interface Simple {
  readonly kind: 'simple';
  /** As it stands in the command. */
  readonly text: string;
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

export interface Pipeline {
  readonly kind: 'pipeline';
  readonly text: string;
  readonly negated: boolean;
  readonly stages: readonly ShellNode[];
  /** Where each stage ends in the command. */
  readonly ends: readonly number[];
}

export interface AndOr {
  readonly kind: 'and_or';
  readonly text: string;
  readonly first: ShellNode;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly node: ShellNode }[];
}

/** `a; b`, `(a; b)`, `{ a; b; }`. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly text: string;
  /** `subshell`: what it sets and where it goes ends with it. */
  readonly scope: 'same' | 'subshell';
  readonly items: readonly { readonly node: ShellNode; readonly inBackground: boolean }[];
}

/** `for`, `while`, `until`. */
export interface Loop {
  readonly kind: 'loop';
  readonly text: string;
  readonly condition: ShellNode | null;
  readonly body: ShellNode;
}

/** `if`, `case`. */
export interface Condition {
  readonly kind: 'condition';
  readonly text: string;
  readonly conditions: readonly ShellNode[];
  readonly bodies: readonly ShellNode[];
}

/** A function. */
export interface Definition {
  readonly kind: 'definition';
  readonly text: string;
  readonly body: ShellNode;
}
