import { safeLine } from '../../../evidence/report/render/terminal.ts';
import type { GivenRequest } from '../../../run/given.ts';
import type { LandPorts } from '../../../run/land/outcome.ts';
import type { RunEnvironment } from '../../../run/request.ts';
import { runTask } from '../../../run/run.ts';
import { openBaseCache } from '../../environment/base-cache.ts';
import { forRepository } from '../../environment/run-environment.ts';
import { progressFor } from '../../print/run-output.ts';

/** What landings in a repository need: every merged tree is judged in a bundle of its own. */
export function landPorts(
  environment: RunEnvironment,
  repo: string,
  signal: AbortSignal,
  json: true | undefined,
): LandPorts {
  const { runsDir, key, clock } = environment;
  const judge = async (given: GivenRequest) => {
    const progress = progressFor({ json, repeat: 1 });
    return runTask({
      ...given,
      environment: forRepository(environment, repo, given.inputs.filesDir),
      solutionDir: null,
      taskDir: given.inputs.testsDir,
      watch: progress,
      signal,
    }).finally(() => progress.end());
  };
  return {
    caller: process.env,
    runsDir,
    key,
    clock,
    signal,
    cache: openBaseCache(environment.confine),
    judge,
    tell: (line) => process.stderr.write(`${safeLine(line)}\n`),
  };
}
