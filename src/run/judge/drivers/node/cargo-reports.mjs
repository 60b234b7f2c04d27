/** Reads `cargo test`: what was built (JSON), which of it runs (a heading), and the lines of each test program. */
import { relative, resolve } from 'node:path';

/** Not only at the start of a line: a program that ends in the midst of a test leaves one open. */
const HEADING = / {5}Running (?:unittests )?(\S.*?) \((.+)\)$/;
const DOC_HEADING = / {3}Doc-tests (\S+)$/;
const STARTS = /^running (\d+) tests?$/;
const TEST = /^test (.+?)(?: - should panic)? \.\.\. ?(.*)$/;
const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
const OUTCOMES = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

export function readCargo(plan, say) {
  const sources = new Map();
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
      if (executable && profile.test) sources.set(executable, relative(plan.root, target.src_path));
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
  }

  function tested(id, outcome) {
    section.pending = null;
    section.seen += 1;
    return [{ id: section.file === null ? id : `${section.file}::${id}`, outcome }];
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
      if (heading !== null || documented || section === null) return [];
      const starts = STARTS.exec(text);
      const result = RESULT.exec(text);
      if (starts !== null && !section.telling) begin(Number(starts[1]));
      else if (result !== null) concluded(result);
      else if (text === 'failures:' || text === 'successes:') section.telling = true;
      else if (section.due !== null) return within(text);
      return [];
    },
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

function outcomeOf(text) {
  return OUTCOMES[text.replace(/^ignored, .*$/s, 'ignored')];
}
