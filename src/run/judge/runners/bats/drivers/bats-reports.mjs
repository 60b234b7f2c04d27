/** Reads what bats says to its formatters: `suite <file>`, `begin <n> <name>`, `ok <n> <name>`, `not ok <n> <name>`. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const SUITE = /^suite (.+)$/;
const BEGIN = /^begin (\d+) (.*)$/;
const RESULT = /^(not )?ok (\d+) (.*?)( # skip\b.*)?$/;
const PLAN = /^1\.\.(\d+)$/;

export function read(plan, say) {
  const begun = new Map();
  const ended = new Set();
  let file;
  let planned = null;
  let anyFailed = false;
  let fault = null;

  function result([, not, number, name, skip]) {
    const failed = not !== undefined;
    if (failed) anyFailed = true;
    // Before any test of a file: the file itself could not be read or prepared.
    if (failed && !begun.has(number)) return [{ id: relative(plan.root, file), outcome: 'error', file }];
    if (begun.get(number) !== name) fault ??= `bats reported ${name}, which had not begun`;
    if (ended.has(number)) fault ??= `${name} was reported twice`;
    ended.add(number);
    const outcome = skip !== undefined ? 'skipped' : failed ? 'failed' : 'passed';
    return [{ id: `${relative(plan.root, file)}::${name}`, outcome, file }];
  }

  return {
    collect: () => plan.places.flatMap((place) => filesIn(resolve(plan.cwd, place), plan.recursive)),
    line(text) {
      const suite = SUITE.exec(text);
      const begin = BEGIN.exec(text);
      const end = RESULT.exec(text);
      if (begin === null) say(`${text}\n`);
      if (suite !== null && existsSync(suite[1])) file = suite[1];
      planned ??= PLAN.exec(text)?.[1] ?? null;
      if (begin !== null && file !== undefined) begun.set(begin[1], begin[2]);
      return end !== null && file !== undefined ? result(end) : [];
    },
    end() {
      if (fault !== null || anyFailed) return fault;
      if (planned === null) return 'bats ended without a plan';
      return ended.size === Number(planned) ? null : `bats announced ${planned} tests and reported ${ended.size}`;
    },
  };
}

function filesIn(place, recursive) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive }).flatMap((name) => (name.endsWith('.bats') ? [join(place, name)] : []));
}
