/** Reads `cargo test`: what was built (JSON), which of it runs (a heading), and the lines of each test program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Not only at the start of a line: a program that ends in the midst of a test leaves one open. */
const HEADING = / {5}Running (?:unittests )?(\S.*?) \((.+)\)$/;
const DOC_HEADING = / {3}Doc-tests (\S+)$/;
const STARTS = /^running (\d+) tests?$/;
const TEST = /^test (.+?)(?: - should panic)? \.\.\. ?(.*)$/;
const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
/** Where the compiler found a fault, under the line that says so. */
const FAULT = /^error(?:\[E\d+\])?: /;
const FAULT_PLACE = /^\s*--> (.+\.rs):\d+:\d+$/;
const NOT_BUILT = /^error: could not compile `[^`]+` \((.+)\)/;
const TEST_ATTRIBUTE = /#\s*\[\s*(?:cfg\s*\(\s*(?:test|all\(.*\btest\b)|(?:\w+::)*test\b|rstest\b|test_case\b)/;
const DOC_FILE = /^(.+\.rs) - /;
const OUTCOMES = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

export function read(plan, say) {
  /** By program, the file it was built from: its name in ids, and its place. */
  const sources = new Map();
  const places = new Map();
  const refused = [];
  let faulty = false;
  const started = new Set();
  let section = null;
  let fault = null;

  function open(file) {
    close();
    section = { file, due: null, seen: 0, pending: null, telling: false, complete: false };
  }

  /** Doc-tests of one crate can come in several blocks. */
  function begin(due) {
    if (section.due !== null && !section.complete) fault ??= endedEarly();
    Object.assign(section, { due, seen: 0, pending: null, telling: false, complete: false });
  }

  const endedEarly = () => `${section.file ?? 'doc-tests'} ended before its tests did`;

  function close() {
    if (section !== null && !section.complete) fault ??= endedEarly();
  }

  function built(text) {
    try {
      const { executable, target, profile } = JSON.parse(text);
      if (!executable || !profile.test) return;
      sources.set(executable, relative(plan.root, target.src_path));
      places.set(executable, target.src_path);
    } catch {
      say(`${text}\n`);
    }
  }

  function began(shown, executable) {
    const program = resolve(plan.cwd, executable);
    const file = sources.get(program) ?? shown;
    started.add(program);
    // Cargo.toml belongs to the tree: it can name another file in a sealed one's place.
    if (plan.sealed && file.startsWith('..')) fault ??= `${shown} is not one of the sealed tests`;
    open(file);
    section.place = places.get(program);
  }

  function tested(id, outcome) {
    section.pending = null;
    section.seen += 1;
    if (section.file === null) return [{ id, outcome, file: docFile(id) }];
    return [{ id: `${section.file}::${id}`, outcome, file: moduleFile(section.place, id) }];
  }

  function docFile(id) {
    const named = DOC_FILE.exec(id)?.[1];
    return named === undefined ? undefined : locate(named);
  }

  /** Files are named from the directory of the package or of the workspace around it. */
  function locate(named) {
    const dirs = [plan.project];
    while (dirs.at(-1) !== plan.workspace && dirs.at(-1) !== '/') dirs.push(dirname(dirs.at(-1)));
    const packages = Array.from(places.values(), (place) => dirname(dirname(place)));
    return [...dirs, ...packages].map((dir) => resolve(dir, named)).find((path) => existsSync(path));
  }

  /** A test file that the compiler refused stands for the tests that it would hold. */
  function compiled(text) {
    if (FAULT.test(text)) faulty = true;
    const place = faulty ? FAULT_PLACE.exec(text)?.[1] : undefined;
    if (place !== undefined) {
      faulty = false;
      const path = locate(place);
      if (path !== undefined && !refused.includes(path) && holdsTests(path)) refused.push(path);
    }
    if (!NOT_BUILT.test(text)) return [];
    return refused.splice(0).map((file) => ({ id: relative(plan.root, file), outcome: 'error', file }));
  }

  /** One thread: the name comes first, the outcome when it is known, and what escapes capture between them. */
  function within(text) {
    const [, id, rest] = (section.telling ? null : TEST.exec(text)) ?? [];
    if (id !== undefined) {
      const outcome = outcomeOf(rest);
      if (outcome !== undefined) return tested(id, outcome);
      section.pending = id;
    } else if (section.pending !== null && outcomeOf(text) !== undefined) {
      return tested(section.pending, outcomeOf(text));
    }
    return [];
  }

  function concluded([, passed, failed, ignored]) {
    const total = Number(passed) + Number(failed) + Number(ignored);
    section.complete = section.due === total && section.seen === total;
  }

  return {
    line(text) {
      if (section === null && text.startsWith('{')) {
        built(text);
        return [];
      }
      say(`${text}\n`);
      const heading = HEADING.exec(text);
      const documented = DOC_HEADING.test(text);
      if (heading !== null) began(heading[1], heading[2]);
      if (documented) open(null);
      if (heading !== null || documented) return [];
      if (section === null) return compiled(text);
      const starts = STARTS.exec(text);
      const result = RESULT.exec(text);
      if (starts !== null && !section.telling) begin(Number(starts[1]));
      else if (result !== null) concluded(result);
      else if (text === 'failures:' || text === 'successes:') section.telling = true;
      else if (section.due !== null) return within(text);
      return [];
    },
    collected: () => [...places.values()].flatMap((place) => [place, ...modulesWithTests(place)]),
    /** What is missing for the run to be complete; null: nothing. */
    end() {
      close();
      for (const [program, file] of sources) {
        if (section !== null && !started.has(program)) fault ??= `${file} was built but never ran`;
      }
      return fault;
    },
  };
}

/** Follows the names of modules from file to file, as far as they have files of their own. */
function moduleFile(place, id) {
  if (place === undefined) return undefined;
  let file = place;
  let dir = dirname(place);
  for (const name of id.split('::').slice(0, -1)) {
    const next = [join(dir, `${name}.rs`), join(dir, name, 'mod.rs')].find((path) => existsSync(path));
    if (next === undefined) break;
    file = next;
    dir = join(dir, name);
  }
  return file;
}

/** Files beside the root of a library or program; those of integration tests are roots themselves. */
function modulesWithTests(place) {
  if (!/\/src\/(?:lib|main)\.rs$/.test(place)) return [];
  const dir = dirname(place);
  return readdirSync(dir, { recursive: true })
    .map((name) => join(dir, name))
    .filter((path) => path.endsWith('.rs') && holdsTests(path));
}

function holdsTests(path) {
  try {
    return path.includes('/tests/') || TEST_ATTRIBUTE.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

function outcomeOf(text) {
  return OUTCOMES[text.replace(/^ignored, .*$/s, 'ignored')];
}
