import { parentOf } from '../../deciding/path-parts.ts';
import { findModule, type Module } from '../../must-fail/locate/cargo.ts';
import { type TestFiles, TestSources } from '../../must-fail/locate/site.ts';
import { applyEdits, type Edit } from '../../syntax/edits.ts';
import { attributesOf } from '../../syntax/imports/rust.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import { asksForPlace, displace, type InlineModule, otherNames } from './displace.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { OWN_NAME, programForm, RESULTS_FILE, tokenOf, PROGRAM_DIR } from './program.ts';

/**
 * Tests of one Rust package as functions of example programs, built without `cfg(test)` and debug checks. Null: one of the tests comes
 * from a macro, expects a panic, or belongs to a program.
 */
export async function cargoForm(
  tests: readonly PlainTest[],
  files: TestFiles,
  base: TestFiles,
): Promise<ApartForm | null> {
  const sources = new TestSources(files);
  const edits = new EditedFiles(sources);
  const calls = new Map<string, string[]>();
  const asks = files.paths.some((path) => path.endsWith('.rs') && asksForPlace(files.read(path) ?? ''));
  const inline: InlineModule[] = [];
  const roots = tests.map(({ id }) => id.slice(0, id.indexOf('::')));
  const dirs = new Set(roots.map((root) => parentOf(parentOf(root))));
  const [dir = ''] = dirs;
  const below = (path: string): string => (dir === '' ? path : `${dir}/${path}`);
  const manifest = files.read(below('Cargo.toml')) ?? '';
  const crate = crateName(manifest);
  if (dirs.size !== 1 || crate === null) return null;
  for (const [at, { id }] of tests.entries()) {
    const root = roots[at] ?? '';
    const names = id.slice(root.length + 2).split('::');
    const isLibrary = root === below('src/lib.rs');
    if (!isLibrary && parentOf(root) !== below('tests')) return null;
    const module = await findModule(root, names.slice(0, -1), sources);
    const test = module?.items.find(
      (node) => node.type === 'function_item' && node.child('name')?.text === names.at(-1),
    );
    const attributes = test === undefined ? [] : attributesOf(test).map(({ text }) => text.replaceAll(/\s/g, ''));
    if (module === null || test === undefined || attributes.join() !== '#[test]') return null;
    const own = isLibrary ? ownModule(module) : null;
    if (own !== null) inline.push(own);
    else if (asks && isLibrary && !isForTests(module.way.at(-1)?.item)) return null;
    await edits.publish(module.path, test);
    for (const { path, item } of module.way) await edits.publish(path, item);
    const place = isLibrary ? '' : root;
    const path = [...(isLibrary ? [crate] : []), ...names].join('::');
    calls.set(place, [...(calls.get(place) ?? []), `    ${OWN_NAME}_show("${tokenOf(at)}", || ${path}());\n`]);
  }
  const replace = new Map<string, string>();
  const examples = [...calls].map(([place, lines], at) => {
    const name = `${OWN_NAME}_${at}`;
    const path = place === '' ? below(`examples/${name}.rs`) : `${parentOf(place)}/${name}.rs`;
    replace.set(path, `${place === '' ? '' : edits.textOf(place)}\n${MAIN.replace('CALLS', lines.join(''))}`);
    return { name, path: path.slice(dir === '' ? 0 : dir.length + 1) };
  });
  for (const path of edits.paths) if (!calls.has(path)) replace.set(path, edits.textOf(path));
  const placed = asks ? await displace(replace, inline) : replace;
  if (placed === null) return null;
  const moved = asks ? [...placed.keys()].filter((path) => inline.every((one) => one.path !== path)) : [];
  const entries = examples.map(({ name, path }) => `\n[[example]]\nname = "${name}"\npath = "${path}"\n`);
  return programForm({
    tests,
    replace: new Map([...placed, [below('Cargo.toml'), `${manifest}\n${entries.join('')}`]]),
    remove: [],
    build: [
      'export CARGO_TARGET_DIR=/tmp/target CARGO_NET_OFFLINE=true CARGO_INCREMENTAL=0',
      `export RUSTFLAGS=${shellQuoted(`--cap-lints=allow${otherNames(moved, dir)}`)}`,
      'export CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=false CARGO_PROFILE_DEV_OVERFLOW_CHECKS=false',
      `cargo build --manifest-path ${shellQuoted(below('Cargo.toml'))} ${examples.map(({ name }) => `--example ${name}`).join(' ')}`,
      ...examples.map(({ name }) => `mv /tmp/target/debug/examples/${name} ${PROGRAM_DIR}/${name}`),
    ],
    // Removed before the program runs, so that it cannot see the files it was built from.
    unneeded: [
      '/tmp/target',
      below('Cargo.toml'),
      below('Cargo.lock'),
      'Cargo.lock',
      below('src'),
      ...examples.map(({ path }) => below(path)),
    ],
    start: examples.map(({ name }) => `cd ${shellQuoted(below('.'))} && ${PROGRAM_DIR}/${name}`),
    leavesItsPlace: !base.paths.some(
      (path) => path.endsWith('.rs') && /CARGO_MANIFEST_DIR/.test(base.read(path) ?? ''),
    ),
  });
}

/** The top-level module of a product file that contains a test. */
function ownModule({ path, way }: Module): InlineModule | null {
  const item = way.find((one) => one.path === path && one.item.child('body') !== null)?.item;
  return item === undefined ? null : { path, name: item.child('name')?.text ?? '' };
}

const isForTests = (item: SyntaxNode | undefined): boolean =>
  item !== undefined && attributesOf(item).some(({ text }) => FOR_TESTS.test(text));

const FOR_TESTS = /^#\[\s*cfg\s*\(\s*test\s*\)\s*\]$/;

/** The name by which other crates refer to it. */
function crateName(manifest: string): string | null {
  const named = (section: string): string | undefined =>
    new RegExp(`^\\[${section}\\]\\s*$(?:(?!^\\[)[^])*?^name\\s*=\\s*"([^"]+)"`, 'm').exec(manifest)?.[1];
  return (named('lib') ?? named('package'))?.replaceAll('-', '_') ?? null;
}

/** Files whose tests become ordinary public functions. */
class EditedFiles {
  readonly #sources: TestSources;
  readonly #edits = new Map<string, Map<number, Edit>>();
  readonly #texts = new Map<string, string>();

  constructor(sources: TestSources) {
    this.#sources = sources;
  }

  get paths(): readonly string[] {
    return [...this.#edits.keys()];
  }

  async publish(path: string, item: SyntaxNode): Promise<void> {
    let edits = this.#edits.get(path);
    if (edits === undefined) {
      const root = (await this.#sources.tree(path))?.root;
      const tests = [...(root?.ofType('attribute_item') ?? [])].filter(({ text }) => /^#\[\s*test\s*\]$/.test(text));
      edits = new Map(tests.map(({ start, end }) => [start, { start, end, text: '' }]));
      this.#edits.set(path, edits);
      this.#texts.set(path, root?.source ?? '');
    }
    for (const { start, end, text } of attributesOf(item))
      if (FOR_TESTS.test(text)) edits.set(start, { start, end, text: '' });
    const visibility = item.firstOfType('visibility_modifier');
    const at = visibility?.start ?? item.start;
    edits.set(at, { start: at, end: visibility?.end ?? at, text: visibility === null ? 'pub ' : 'pub' });
  }

  textOf(path: string): string {
    return applyEdits(this.#texts.get(path) ?? '', [...(this.#edits.get(path)?.values() ?? [])]);
  }
}

const MAIN = `
fn main() {
CALLS}

trait ${OWN_NAME.toUpperCase()} {
    fn good(self) -> bool;
}
impl ${OWN_NAME.toUpperCase()} for () {
    fn good(self) -> bool {
        true
    }
}
impl<T, E> ${OWN_NAME.toUpperCase()} for Result<T, E> {
    fn good(self) -> bool {
        self.is_ok()
    }
}
fn ${OWN_NAME}_show<R: ${OWN_NAME.toUpperCase()}>(token: &str, f: impl FnOnce() -> R + std::panic::UnwindSafe) {
    use std::io::Write;
    let good = std::panic::catch_unwind(|| f().good()).unwrap_or(false);
    if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open("${RESULTS_FILE}") {
        let _ = writeln!(file, "{} {}", token, if good { "ok" } else { "not" });
    }
}
`;
