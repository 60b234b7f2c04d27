/** Reads `go test -json`. */

const OUTCOMES = { pass: 'passed', fail: 'failed', skip: 'skipped' };
const PASSED = /--- PASS: (\S+) \(/g;
/** How go says it up to version 1.23, in the midst of its JSON. */
const NOT_BUILT = /^FAIL\s+(\S+) \[(?:build|setup) failed\]$/;
const LONGEST_LINE = 64 * 1024;

class Package {
  constructor(name) {
    this.name = name;
    /** Tests that have begun and not yet ended. */
    this.open = new Set();
    /** Tests that said themselves that they passed. */
    this.passed = new Set();
    this.anyFailed = false;
    this.saidPass = false;
    this.end = null;
    this.line = '';
  }

  hear(output) {
    this.line = (this.line + output).slice(-LONGEST_LINE);
    for (const [, test] of this.line.matchAll(PASSED)) this.passed.add(test);
    if (/PASS\r?\n$/.test(this.line)) this.saidPass = true;
    if (output.endsWith('\n')) this.line = '';
  }

  /** go 1.19 takes a test for passed when its process exits with 0. The test says so itself, or it did not. */
  close(test, outcome) {
    if (outcome === 'failed') this.anyFailed = true;
    if (outcome === 'passed' && !this.passed.has(test)) return [];
    return this.open.delete(test) ? [{ id: `${this.name}::${test}`, outcome }] : [];
  }

  finish(action) {
    this.end = action;
    // It failed, but no test did: it could not be built, or ended in the middle.
    if (action === 'fail' && !this.anyFailed) return [{ id: this.name, outcome: 'error' }];
    // A test that printed half a line before its result passed without go noticing.
    return action === 'pass' ? [...this.open].flatMap((test) => this.close(test, 'passed')) : [];
  }

  missing() {
    const [test] = this.open;
    if (this.end === null) return `${this.name} has no result`;
    if (this.end !== 'pass') return null;
    if (test !== undefined) return `${this.name}: ${test} never said that it passed`;
    return this.saidPass ? null : `${this.name} ended before its tests did`;
  }
}

export function readGo(_plan, say) {
  const packages = new Map();
  const packageOf = (name) => {
    if (!packages.has(name)) packages.set(name, new Package(name));
    return packages.get(name);
  };

  return {
    line(text) {
      const event = parse(text);
      if (event === null) {
        say(`${text}\n`);
        const name = NOT_BUILT.exec(text)?.[1];
        return name === undefined ? [] : packageOf(name).finish('fail');
      }
      const { Action: action, Package: name, Test: test, Output: output } = event;
      if (output !== undefined) say(output);
      if (name === undefined) return [];
      const state = packageOf(name);
      if (action === 'output') state.hear(output);
      if (action === 'run') state.open.add(test);
      const outcome = OUTCOMES[action];
      if (outcome === undefined) return [];
      return test === undefined ? state.finish(action) : state.close(test, outcome);
    },
    /** What is missing for the run to be complete; null: nothing. */
    end() {
      for (const state of packages.values()) {
        const missing = state.missing();
        if (missing !== null) return missing;
      }
      return null;
    },
  };
}

function parse(text) {
  try {
    const event = JSON.parse(text);
    return typeof event?.Action === 'string' ? event : null;
  } catch {
    return null;
  }
}
