/** Reads the TAP of one test file: nested subtests, each reported under the names of those around it. */

const POINT = /^(not )?ok\b(?: +(\d+))?(?: +-)?(?: +(.*?))?$/;
const DIRECTIVE = /^(.*?)(?:^|\s+)#\s*(skip|todo)\b.*$/i;
const TIME = /\s+# time=[\d.]+m?s$/;
const DEPTH = 4;

class Level {
  constructor() {
    /** The subtest that was announced, or whose lines stand in braces. */
    this.name = null;
    this.buffered = null;
    this.count = 0;
    this.planned = null;
  }
}

export class TapStream {
  #levels = [new Level()];
  #inDetails = null;
  #identify;
  #failed = false;

  /** `identify`: the id of a test by its names. */
  constructor(identify) {
    this.#identify = identify;
  }

  get failed() {
    return this.#failed;
  }

  /** The tests that ended with this line. */
  line(text) {
    const spaces = /^ */.exec(text)[0].length;
    const depth = Math.floor(spaces / DEPTH);
    const rest = text.slice(depth * DEPTH);
    if (this.#inDetails !== null) {
      if (depth <= this.#inDetails && rest === '  ...') this.#inDetails = null;
      return [];
    }
    if (rest === '  ---') {
      this.#inDetails = depth;
      return [];
    }
    if (spaces % DEPTH !== 0 || depth > this.#levels.length) return [];
    return this.#atDepth(depth, rest);
  }

  #atDepth(depth, rest) {
    const level = this.#levels[depth] ?? (this.#levels[depth - 1]?.name === null ? null : this.#open(depth));
    if (level === null) return [];
    const subtest = /^# Subtest(?:: (.*))?$/.exec(rest);
    if (subtest !== null) {
      level.name = subtest[1] ?? '';
      return [];
    }
    const plan = /^1\.\.(\d+)/.exec(rest);
    if (plan !== null) {
      level.planned ??= Number(plan[1]);
      return [];
    }
    if (rest === '}' && level.buffered !== null) return this.#close(depth, level.buffered);
    const point = POINT.exec(rest);
    return point === null ? [] : this.#point(depth, point);
  }

  #open(depth) {
    this.#levels[depth] = new Level();
    return this.#levels[depth];
  }

  #point(depth, [, not, number, words = '']) {
    const level = this.#levels[depth];
    // What the code under test prints may look like a result, but not like the next one.
    if (number !== undefined && Number(number) !== level.count + 1) return [];
    level.count += 1;
    const braces = words.endsWith(' {') || words === '{';
    const plain = words.replace(/\s*\{$/, '').replace(TIME, '');
    const directive = DIRECTIVE.exec(plain);
    const name = (directive?.[1] ?? plain).trim() || `test ${level.count}`;
    const outcome = directive !== null ? 'skipped' : not === undefined ? 'passed' : 'failed';
    const result = { name, outcome, isNamed: directive !== null };
    if (!braces) return this.#close(depth, result);
    level.name = name;
    level.buffered = result;
    this.#levels.length = depth + 1;
    return [];
  }

  /** A subtest counts by its name, and so does a plain assertion outside of any; those inside of one belong to it. */
  #close(depth, { name, outcome, isNamed }) {
    const level = this.#levels[depth];
    const wasSubtest = level.name !== null;
    const open = wasSubtest ? this.#unfinished(depth + 1) : [];
    level.name = null;
    level.buffered = null;
    this.#levels.length = depth + 1;
    if (outcome === 'failed') this.#failed = true;
    const path = [...this.#levels.slice(0, depth).map((above) => above.name), name];
    const own = wasSubtest || isNamed || depth === 0 ? [{ id: this.#identify(path), outcome }] : [];
    return [...open, ...own];
  }

  /** Subtests that were announced and have no result. */
  #unfinished(depth) {
    const found = [];
    for (let at = depth; at < this.#levels.length; at += 1) {
      if (this.#levels[at].name === null) break;
      const path = this.#levels.slice(0, at + 1).map((level) => level.name);
      found.push({ id: this.#identify(path), outcome: 'error' });
      this.#failed = true;
    }
    return found;
  }

  /** What is left when the file has ended. */
  end() {
    return this.#unfinished(0);
  }

  /** It announced as many results as it gave. */
  get isComplete() {
    const [top] = this.#levels;
    return top.planned !== null && top.planned === top.count;
  }
}
