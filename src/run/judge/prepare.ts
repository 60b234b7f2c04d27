import { broughtFile } from './patch/brought-runner.ts';
import { expandGlobs } from './command/globs.ts';
import { broughtByPatch, type Prepared, type RunnerCommand, unusableRunner } from './runners/definition.ts';
import { findRunner } from './runners/list.ts';
import { prepareScript } from './runners/script/prepare.ts';
import { prepareVerifier } from './runners/verifier/prepare.ts';
import { testsDir } from './sandbox/stage.ts';
import type { JudgeRequest } from './types.ts';

/** The runner of a task that has an image. */
export const VERIFIER = 'verifier script';

/** Finds the programs and lays out the directories that a command needs. */
export function prepare(request: JudgeRequest, asked: RunnerCommand): Promise<Prepared> {
  if (asked.runner === VERIFIER && request.image !== undefined) return prepareVerifier(request, request.image);
  const command = expandGlobs(request, asked);
  const definition = findRunner(command.runner);
  const blackBox = request.isolation === 'black_box';
  if (blackBox && definition?.blackBox === false) {
    const why = `${command.runner} runs tests and code in one process: judge it in_process, or have a script call programs`;
    return blocked(`black box judging is not possible: ${why}`);
  }
  const apart = blackBox ? testsDir(request) : null;
  if (blackBox && apart === null) {
    return blocked('black box judging needs tests in a directory of their own, named `tests`');
  }
  if (definition === undefined) return prepareScript(request, command, apart);
  const brought = blackBox ? null : broughtFile(request, command);
  return brought === null ? definition.prepare(request, command, apart) : Promise.resolve(broughtByPatch(brought));
}

function blocked(fault: string): Promise<Prepared> {
  return Promise.resolve(unusableRunner(fault));
}
