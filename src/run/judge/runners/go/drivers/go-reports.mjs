/** Reads `go test -json`, and asks `go list` which files hold the tests. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const OUTCOMES = { pass: 'passed', fail: 'failed', skip: 'skipped' };
const PASSED = /--- PASS: (\S+) \(/g;
/** How go says it up to version 1.23, in the midst of its JSON. */
const NOT_BUILT = /^FAIL\s+(\S+) \[(?:build|setup) failed\]$/;
const LONGEST_LINE = 64 * 1024;
const LONGEST_LIST = 256 * 1024 * 1024;
const TEST_FUNCTION = /^func (\w+)\(/gm;
/** How the compiler says what of a package it speaks of, and where. */
const BUILD_HEADING = /^# (\S+)/;
const BUILD_PLACE = /^(\S+_test\.go):\d+/;

class Package {
  constructor(name) {
    this.name = name;
    this.heard = false;
    /** Test files that the compiler refused. */
    this.refused = [];
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
    this.heard = true;
    this.end = action;
    // It failed, but no test did: it could not be built, or ended in the middle.
    if (action === 'fail' && !this.anyFailed) return [{ id: this.name, outcome: 'error', file: this.refused[0] }];
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

export function read(plan, say) {
  const packages = new Map();
  const testFiles = listTestFiles(plan);
  let building = null;
  const packageOf = (name) => {
    if (!packages.has(name)) packages.set(name, new Package(name));
    return packages.get(name);
  };

  function built(text) {
    building = BUILD_HEADING.exec(text)?.[1] ?? building;
    const place = BUILD_PLACE.exec(text)?.[1];
    if (building !== null && place !== undefined) packageOf(building).refused.push(resolve(plan.cwd, place));
  }

  function withFile(test) {
    const [name, path] = test.id.split('::');
    const file = path === undefined ? test.file : fileOf(testFiles.get(name) ?? [], path.split('/')[0]);
    return { ...test, file };
  }

  function hear(text) {
    const event = parse(text);
    if (event === null) {
      say(`${text}\n`);
      built(text);
      const name = NOT_BUILT.exec(text)?.[1];
      return name === undefined ? [] : packageOf(name).finish('fail');
    }
    const { Action: action, Package: name, Test: test, Output: output } = event;
    if (output !== undefined) say(output);
    if (action === 'build-output') built(output);
    if (name === undefined) return [];
    const state = packageOf(name);
    state.heard = true;
    if (action === 'output') state.hear(output);
    if (action === 'run') state.open.add(test);
    const outcome = OUTCOMES[action];
    if (outcome === undefined) return [];
    return test === undefined ? state.finish(action) : state.close(test, outcome);
  }

  return {
    collect: () => [...testFiles.values()].flat(),
    line: (text) => hear(text).map(withFile),
    /** What is missing for the run to be complete; null: nothing. */
    end() {
      for (const state of packages.values()) {
        // Known from the compiler alone: a package that was built on the way.
        if (!state.heard) continue;
        const missing = state.missing();
        if (missing !== null) return missing;
      }
      return null;
    },
  };
}

/** By import path. Empty where the program cannot tell. */
function listTestFiles({ calls, cwd, list }) {
  const [program] = calls[0].argv;
  const { stdout, status } = spawnSync(program, list, { cwd, encoding: 'utf8', maxBuffer: LONGEST_LIST });
  const files = new Map();
  if (status !== 0) return files;
  for (const text of stdout.split(/^(?=\{)/m)) {
    try {
      const { ImportPath: name, Dir: dir, TestGoFiles: own = [], XTestGoFiles: outer = [] } = JSON.parse(text);
      files.set(
        name,
        [...own, ...outer].map((file) => join(dir, file)),
      );
    } catch {
      // What is printed between the packages.
    }
  }
  return files;
}

const functions = new Map();

function fileOf(files, test) {
  return files.find((file) => {
    if (!functions.has(file)) functions.set(file, namesIn(file));
    return functions.get(file).has(test);
  });
}

function namesIn(file) {
  try {
    return new Set(Array.from(readFileSync(file, 'utf8').matchAll(TEST_FUNCTION), ([, name]) => name));
  } catch {
    return new Set();
  }
}

function parse(text) {
  try {
    const event = JSON.parse(text);
    return typeof event?.Action === 'string' ? event : null;
  } catch {
    return null;
  }
}
