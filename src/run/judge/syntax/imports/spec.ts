/** One thing that a source file brings in from another one. */
export interface ImportSpec {
  readonly kind: ImportKind;
  /**
   * As the language writes it: `./x.js`, `pkg/sub`, `..a.b` (Python, dots first), `github.com/x/y`, `crate::a::b`, `x.h`.
   * For `mod` in Rust the path of module names from the file's own module, `outer::x`; or the file of a `#[path]`, see `file`.
   */
  readonly specifier: string;
  /** `from a import b, c`: `b` and `c`, which in Python may be modules themselves. `*` for all. Empty where none are named. */
  readonly names: readonly string[];
  /** Not loaded at run time: TypeScript's `import type` and `/// <reference>`. */
  readonly typeOnly: boolean;
  /**
   * False: only the end of the path is known, because it begins with a variable: `source "$DIR/lib.sh"` gives `lib.sh`.
   * A file that matches it anywhere in the tree may be meant.
   */
  readonly whole: boolean;
  readonly start: number;
  readonly end: number;
}

export type ImportKind =
  /** `import`, `from … import`, Go's `import`. */
  | 'import'
  | 'reexport'
  | 'require'
  /** `import('x')`, `importlib.import_module('x')`. */
  | 'dynamic'
  /** `require.resolve('x')`, `new URL('x', import.meta.url)`, `include_str!`, `go:embed`, `jest.mock('x')`: named, not run. */
  | 'resource'
  /** Rust's `mod x;`. */
  | 'mod'
  /** Rust's `#[path = "file.rs"] mod x;` and `include!("file.rs")`: relative to the file's directory. */
  | 'file'
  | 'use'
  /** `#include "x.h"`. */
  | 'include'
  /** `#include <x.h>`. */
  | 'system_include'
  /** `source x` and `. x`. */
  | 'source';

export function importSpec(
  kind: ImportKind,
  node: { readonly start: number; readonly end: number },
  specifier: string,
  more: { readonly names?: readonly string[]; readonly typeOnly?: boolean; readonly whole?: boolean } = {},
): ImportSpec {
  const { names = [], typeOnly = false, whole = true } = more;
  return { kind, specifier, names, typeOnly, whole, start: node.start, end: node.end };
}
