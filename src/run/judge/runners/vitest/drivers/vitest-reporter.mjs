/** Turns what vitest says in its parent process into reports on the channel. */
import { createRequire } from 'node:module';

// vitest loads this file through its own module system, which has no word for CommonJS.
const { idOf, report, collected, say, runnerError, finish } = createRequire(import.meta.url)(
  '../../shared/node/drivers/module-reports.cjs',
);

const told = new Set();
const OUTCOMES = { passed: 'passed', failed: 'failed', skipped: 'skipped', pending: 'error' };

/** `diff` is of an assertion; a source that cannot be read is named by the cause alone. */
function textOf({ stack, message, diff, cause }) {
  const below =
    cause === undefined || cause === null ? '' : `caused by: ${cause.stack ?? cause.message ?? String(cause)}`;
  return [stack ?? message, diff, below].filter((part) => typeof part === 'string' && part !== '').join('\n');
}

/** An error that belongs to no test, in one line: `Unhandled Rejection: Error: socket closed`. */
function headOf({ type, name, message }) {
  const [first] = String(message ?? '').split('\n');
  return [type ?? 'Unhandled Error', name, first].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

// oxlint-disable-next-line import/no-default-export -- that is how vitest finds a reporter
export default class Reporter {
  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) collected(moduleId);
  }

  onUserConsoleLog(log) {
    say(log.content);
  }

  onTestCaseResult(test) {
    this.#tell(test);
  }

  /** Skipped tests and files that broke before their first test have not been heard of until now. */
  onTestRunEnd(modules, unhandled, reason) {
    for (const module of modules) {
      collected(module.moduleId);
      for (const test of module.children.allTests()) this.#tell(test);
      const broken = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
      if (broken.length > 0) {
        report(idOf(module.project.name, module.moduleId, []), 'error', broken.map(textOf), module.moduleId);
      }
    }
    for (const error of unhandled) {
      say(`${headOf(error)}\n${textOf(error)}\n`);
      runnerError(headOf(error));
    }
    if (reason !== 'interrupted') finish();
  }

  #tell(test) {
    if (told.has(test.id)) return;
    told.add(test.id);
    const names = [test.name];
    for (let above = test.parent; above.type === 'suite'; above = above.parent) names.unshift(above.name);
    const { state, errors = [] } = test.result();
    const { moduleId } = test.module;
    report(idOf(test.project.name, moduleId, names), OUTCOMES[state], errors.map(textOf), moduleId);
  }
}
