import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

/** As `kind specifier`, with names in brackets, `type` for those gone at run time and `…` where the beginning is unknown. */
async function listed(path: string, text: string): Promise<readonly string[] | undefined> {
  return (await importsOf(path, text))?.map(({ kind, specifier, names, typeOnly, whole }) =>
    [
      kind,
      ...(typeOnly ? ['type'] : []),
      `${whole ? '' : '…'}${specifier}`,
      ...(names.length > 0 ? [`[${names.join(' ')}]`] : []),
    ].join(' '),
  );
}

test('Python', async () => {
  const text = `
import os, a.b as c
from . import x, y as z
from ..pkg.mod import *
from .é import (
    one,
    two,
)
try:
    import simplejson as json
except ImportError:
    import json
def late():
    import importlib
    importlib.import_module("plug.in")
    __import__('legacy')
    importlib.import_module(name)
    importlib.import_module(f"plug.{name}")
x = pytest.importorskip("numpy")
`;
  expect(await listed('a.py', text)).toEqual([
    'import os',
    'import a.b',
    'import . [x y]',
    'import ..pkg.mod [*]',
    'import .é [one two]',
    'import simplejson',
    'import json',
    'import importlib',
    'dynamic plug.in',
    'dynamic legacy',
    'dynamic numpy',
  ]);
});

test('JavaScript', async () => {
  const text = `#!/usr/bin/env node
// 😀
import a, { b as c } from './a.js';
import * as d from "d/sub";
import './side-effect.js';
export { e } from './e.js';
export * from './f.js';
export * as g from './g.js';
export const h = 1;
const i = require('./i');
const { j } = require(\`./j\`);
require(name); require(\`./\${name}\`);
const k = await import('./k\\x2ejs');
import(/* webpackChunkName: "l" */ './l.js');
require.resolve('./m');
new URL('./n.txt', import.meta.url);
jest.mock('./o', () => ({}));
vi.doMock('./p');
`;
  expect(await listed('a.mjs', text)).toEqual([
    'import ./a.js [b]',
    'import d/sub',
    'import ./side-effect.js',
    'reexport ./e.js [e]',
    'reexport ./f.js',
    'reexport ./g.js',
    'require ./i',
    'require ./j',
    'dynamic ./k.js',
    'dynamic ./l.js',
    'resource ./m',
    'resource ./n.txt',
    'resource ./o',
    'resource ./p',
  ]);
});

test('TypeScript', async () => {
  const text = `/// <reference path="./globals.d.ts" />
import type { A } from './a.ts';
import { type B, c } from './b.ts';
import d = require('./d');
export type { E } from './e.ts';
const f = (await import('./f.ts')) as F;
type G = import('./g.ts').G;
`;
  expect(await listed('a.ts', text)).toEqual([
    'import type ./globals.d.ts',
    'import type ./a.ts [A]',
    'import ./b.ts [B c]',
    'require ./d',
    'reexport type ./e.ts [E]',
    'dynamic ./f.ts',
    'dynamic ./g.ts',
  ]);
  expect(await listed('a.tsx', "import a from './a';\nexport const b = <a.c>{'x'}</a.c>;")).toEqual(['import ./a']);
});

test('Go', async () => {
  const text = `package a

import "fmt"
import (
	. "github.com/x/y/v2"
	_ \`embed\`
	z "./rel"
)

//go:embed data/*.txt "b c.txt"
var data string
`;
  expect(await listed('a.go', text)).toEqual([
    'import fmt',
    'import github.com/x/y/v2',
    'import embed',
    'import ./rel',
    'resource data/*.txt',
    'resource b c.txt',
  ]);
});

test('Rust', async () => {
  const text = `extern crate alloc;
mod a;
pub(crate) mod b { mod c; }
#[cfg(test)]
#[path = "odd/place.rs"]
mod d;
use std::{fmt, io::{self, Read as R}, collections::*};
use crate::a::{
    x, // why
    y::z,
};
pub use super::q;
const T: &str = include_str!("../t.txt");
include!(concat!(env!("OUT_DIR"), "/gen.rs"));
include!("table.rs");
`;
  expect(await listed('a.rs', text)).toEqual([
    'use alloc',
    'mod a',
    'mod b::c',
    'file odd/place.rs',
    'use std::fmt',
    'use std::io',
    'use std::io::Read',
    'use std::collections::*',
    'use crate::a::x',
    'use crate::a::y::z',
    'use super::q',
    'resource ../t.txt',
    'file …gen.rs',
    'file table.rs',
  ]);
});

test('C', async () => {
  expect(
    await listed('a.c', '#include <stdio.h>\n#include "a/b.h"\n#ifdef X\n#  include "c.h"\n#endif\n#include M\n'),
  ).toEqual(['system_include stdio.h', 'include a/b.h', 'include c.h']);
});

test('shell', async () => {
  const text = `#!/usr/bin/env bash
. ./a.sh
source lib/b.sh arg
. "$(dirname "$0")/c.sh"
source "\${DIR}/sub/d.sh"
if true; then . 'e f.sh'; fi
source "$WHOLE"
load test_helper
echo source g.sh
`;
  expect(await listed('run', text)).toEqual([
    'source ./a.sh',
    'source lib/b.sh',
    'source …c.sh',
    'source …sub/d.sh',
    'source e f.sh',
    'source test_helper',
  ]);
});

test('a file that no grammar reads has no answer', async () => {
  expect(await importsOf('a.rb', "require 'x'")).toBeNull();
});
