/** Reads the output of node-tap: of its command, whose subtests are files, or of a file that was started by itself. */
import { relative, resolve } from 'node:path';
import { TapStream } from '../../shared/node/drivers/tap-stream.mjs';

const SUBTEST = /^# Subtest: (.+)$/;
const RESULT = /^(not )?ok (\d+) - (.+?)(?: # (?:time=.*|SKIP.*|TODO.*))?$/;
const PLAN = /^1\.\.(\d+)/;

function streamOf(plan, file) {
  const place = relative(plan.root, file);
  return new TapStream((names) => `${place}::${names.join(' > ')}`);
}

/** A file that failed although none of its tests did is broken as a whole. */
function broken(plan, stream, file) {
  return stream.failed ? [] : [{ id: relative(plan.root, file), outcome: 'error', file }];
}

export function read(plan, say) {
  return plan.perFile ? readFiles(plan, say) : readCommand(plan, say);
}

function readFiles(plan, say) {
  let file;
  let stream;
  let fault = null;
  return {
    begin(call) {
      file = call.file;
      stream = streamOf(plan, file);
    },
    collect: () => plan.calls.map((call) => call.file),
    line(text) {
      say(`${text}\n`);
      return stream.line(text).map((test) => ({ ...test, file }));
    },
    rest(exitCode) {
      const left = stream.end().map((test) => ({ ...test, file }));
      if (exitCode === 0 && !stream.isComplete) fault ??= `${file} ended before its tests did`;
      return exitCode === 0 ? left : [...left, ...broken(plan, stream, file)];
    },
    end: () => fault,
  };
}

function readCommand(plan, say) {
  const files = new Set();
  let current = null;
  let results = 0;
  let planned = null;

  const open = (name) => {
    const file = resolve(plan.cwd, name);
    files.add(file);
    current = { file, stream: streamOf(plan, file) };
  };

  return {
    line(text) {
      say(`${text}\n`);
      if (text.startsWith('    ') && current !== null) {
        return current.stream.line(text.slice(4)).map((test) => ({ ...test, file: current.file }));
      }
      const subtest = SUBTEST.exec(text);
      const result = RESULT.exec(text);
      planned ??= Number(PLAN.exec(text)?.[1] ?? Number.NaN);
      if (Number.isNaN(planned)) planned = null;
      if (subtest !== null) open(subtest[1]);
      if (result === null || Number(result[2]) !== results + 1) return [];
      results += 1;
      // Without lines of its own: it was skipped as a whole, or could not be started.
      if (current === null || resolve(plan.cwd, result[3]) !== current.file) open(result[3]);
      const { file, stream } = current;
      current = null;
      const left = stream.end().map((test) => ({ ...test, file }));
      return result[1] === undefined ? left : [...left, ...broken(plan, stream, file)];
    },
    collected: () => [...files],
    end() {
      if (planned === null) return 'tap ended without a plan';
      return results === planned ? null : `tap announced ${planned} files and reported ${results}`;
    },
  };
}
