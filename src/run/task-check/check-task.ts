import { fakeEngine } from '../../engines/fake/engine.ts';
import { MISBEHAVIOURS } from '../../engines/fake/misbehaviours.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Task } from '../../task/task-directory.ts';
import { misbehavingRequest } from '../selftest/misbehaving.ts';
import { NO_OBSERVER, type RunRequest, type RunEnvironment } from '../request.ts';
import { runTask } from '../run.ts';

export interface TaskCheck {
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** The test ids that the oracle run reported passed. */
  readonly ids: readonly string[];
}

/** A task is worth running only if its oracle passes, doing nothing fails, and both by the tests it says it has. */
export async function checkTask(task: Task, environment: RunEnvironment, signal: AbortSignal): Promise<TaskCheck> {
  if (task.solutionDir === null)
    throw new SeatrialError(
      'usage',
      `task ${task.name} has no solution/solve.sh: without an oracle nothing shows that it can be passed`,
    );
  const request: RunRequest = {
    environment,
    // Whatever the oracle's run reports is what is expected: the recorded ids are compared with that below.
    terms: { ...task.terms, expected_tests: null },
    inputs: task,
    solutionDir: task.solutionDir,
    taskDir: task.dir,
    engine: fakeEngine(),
    watch: NO_OBSERVER,
    signal,
  };
  const oracle = await runTask(request);
  const nothing = await runTask(misbehavingRequest(request, MISBEHAVIOURS['no diff']));
  const ids = oracle.tests.seen.filter((seen) => seen.outcome === 'passed').map((seen) => seen.id);
  const failing = nothing.tests.seen.filter((seen) => seen.outcome !== 'passed').length;
  return {
    ids,
    checks: [
      {
        name: 'oracle passes',
        ok: oracle.status === 'pass',
        detail:
          oracle.failure_reason ?? `${ids.length} tests, ${oracle.tests.isolation}, ${oracle.tests.duration_ms} ms`,
      },
      {
        name: 'doing nothing fails',
        ok: !nothing.tests.passed && nothing.tests.seen.length > 0,
        detail: nothing.tests.passed
          ? 'the tests pass without any change: they prove nothing'
          : `${failing} of ${nothing.tests.seen.length} tests fail`,
      },
      compareIds(task.terms.expected_tests, ids),
    ],
  };
}

function compareIds(recorded: readonly string[] | null, seen: readonly string[]): TaskCheck['checks'][number] {
  const name = 'test ids recorded';
  if (recorded === null)
    return { name, ok: false, detail: `expected_tests is not in task.toml: run again with --record` };
  const gone = recorded.filter((id) => !seen.includes(id));
  const added = seen.filter((id) => !recorded.includes(id));
  if (gone.length + added.length === 0) return { name, ok: true, detail: `${recorded.length}, all as recorded` };
  const said = [...gone.map((id) => `not reported: ${id}`), ...added.map((id) => `not recorded: ${id}`)];
  return { name, ok: false, detail: `${said.join('; ')}: run again with --record` };
}
