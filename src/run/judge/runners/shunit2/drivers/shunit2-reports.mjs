/** Reads what shunit2 prints: the name of each test when it begins, `ASSERT:` for what failed, and how many ran. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How shunit2 itself finds them. */
const FUNCTION = /^\s*(?:function\s+([\w-]+)|([\w-]+)\s*\(\))/gm;
/** Tests of any other name are listed: by `suite_addTest`, or as arguments. */
const LISTED = /^\s*(?:suite_addTest\s|set\s+--\s)(.*)$/gm;
const ERROR = /^shunit2:ERROR (?:(\S+)\(\) returned non-zero|.*)/;
const RAN = /^Ran (\d+) tests?\.$/;
const COLOUR = /\u001b\[[\d;]*m/g;

export function read(plan, say) {
  const text = readFileSync(plan.file, 'utf8');
  const bodies = functionsIn(text);
  const begun = new Set();
  let current = null;
  let ran = null;
  let concluded = null;
  let fault = null;

  const idOf = (name) => `${relative(plan.root, plan.file)}::${name}`;

  function close() {
    if (current === null) return [];
    const { name, failed } = current;
    current = null;
    const skips = /\bstartSkipping\b/.test(bodies.get(name));
    return [{ id: idOf(name), outcome: failed ? 'failed' : skips ? 'skipped' : 'passed', file: plan.file }];
  }

  return {
    collect: () => [plan.file],
    line(coloured) {
      const line = coloured.replace(COLOUR, '');
      say(`${line}\n`);
      if (bodies.has(line) && !begun.has(line) && ran === null) {
        const done = close();
        begun.add(line);
        current = { name: line, failed: false };
        return done;
      }
      if (current !== null && (line.startsWith('ASSERT:') || ERROR.test(line))) current.failed = true;
      const count = RAN.exec(line)?.[1];
      if (count !== undefined) {
        if (ran !== null) fault ??= 'shunit2 counted its tests twice';
        ran = Number(count);
        return close();
      }
      if (ran !== null && /^(?:OK|FAILED)\b/.test(line)) concluded = line;
      return [];
    },
    rest(exitCode) {
      const left = close();
      // It did not come as far as counting: it could not be read.
      const isBroken = exitCode !== 0 && ran === null && begun.size === 0;
      return isBroken ? [{ id: relative(plan.root, plan.file), outcome: 'error', file: plan.file }] : left;
    },
    end() {
      if (fault !== null || (ran === null && begun.size === 0)) return fault;
      if (concluded === null) return 'shunit2 ended before its tests did';
      if (concluded.startsWith('FAILED')) return null;
      return ran === begun.size ? null : `shunit2 counted ${ran} tests and named ${begun.size}`;
    },
  };
}

/** Tests by name, each with what stands up to the next function. */
function functionsIn(text) {
  const listed = new Set([...text.matchAll(LISTED)].flatMap(([, words]) => words.split(/["'\s]+/)));
  const found = [...text.matchAll(FUNCTION)];
  const bodies = found.map((match, at) => [match[1] ?? match[2], text.slice(match.index, found[at + 1]?.index)]);
  return new Map(bodies.filter(([name]) => name.startsWith('test') || listed.has(name)));
}
