import { mkdirSync, readFileSync } from 'node:fs';
import type { SandboxEnd } from '../../confine/types.ts';
import { reportingWrite, writeFailed } from '../../evidence/durable.ts';
import type { EngineSaid } from '../../engines/types.ts';
import type { Contract } from '../../task/schema.ts';
import { captureStream } from '../capture.ts';
import { maskSaid } from '../said.ts';
import type { Run } from '../run.ts';
import type { ProbedGround } from './prepare.ts';
import { guardProtectedRoots } from './protect.ts';
import { recordReach } from './reach.ts';

/** Of each output stream; what comes after is counted, not kept. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const MAX_SAID_EVENTS = 10_000;

/** What the engine did and said. `endedAtMs`: from then on nobody was allowed to write. */
export interface EngineOutcome {
  readonly endedAtMs: number;
  readonly claims: readonly string[];
}

/** Starts the engine in the workspace and stays until nothing of it is left. */
export async function runEngine(run: Run, contract: Contract, ground: ProbedGround): Promise<EngineOutcome> {
  const { engine, signal, watch, site } = run.order;
  const described = engine.launch({ contract, at: ground.at });
  const launch = { ...described, env: { ...ground.env, ...described.env } };
  for (const [name, text] of Object.entries(launch.config)) run.write(`backend/config/${name}`, run.mask.text(text));
  recordReach(run, contract, ground, launch);
  const release = guardProtectedRoots(run, ground);
  reportingWrite(run.artifact('backend'), () => mkdirSync(run.artifact('backend'), { recursive: true }));
  run.log.append('backend.started', 'harness', { argv: run.mask.texts(launch.argv) });
  const sandbox = ground.confinement.start({
    argv: launch.argv,
    env: launch.env,
    cwd: ground.at(ground.workspace.target),
    mounts: ground.mounts,
    limits: run.limits,
    timeoutMs: contract.agent_timeout_sec * 1000,
  });
  const stop = (): void => sandbox.kill();
  signal.addEventListener('abort', stop, { once: true });
  const said = new Said(run);
  const keep = (stream: typeof sandbox.stdout, name: string, onLine: (line: string) => void): Promise<unknown> =>
    captureStream(stream, { file: run.artifact(name), maxBytes: MAX_LOG_BYTES, mask: run.mask, onLine }).catch(
      (error: unknown) => {
        sandbox.kill();
        throw writeFailed(run.artifact(name), error);
      },
    );
  const kept = Promise.all([
    keep(sandbox.stdout, 'backend/stdout.log', (line) => {
      watch.activity(line);
      for (const event of engine.read(line)) said.record(maskSaid(event, run.mask));
    }),
    keep(sandbox.stderr, 'backend/stderr.log', (line) => watch.activity(line)),
  ]);
  kept.catch(() => {});
  sandbox.stdin.end(launch.stdin);
  const end = await sandbox.ended;
  const endedAtMs = site.clock.now().getTime();
  signal.removeEventListener('abort', stop);
  await kept;
  release();
  if (!said.planned)
    run.log.append('plan.updated', 'harness', { steps: ['let the engine work', 'freeze', 'diff', 'judge'] });
  recordEnd(run, end);
  return { endedAtMs, claims: said.claims };
}

class Said {
  readonly claims: string[] = [];
  planned = false;
  #count = 0;
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  record(event: EngineSaid): void {
    this.#count += 1;
    if (this.#count > MAX_SAID_EVENTS) return;
    this.#run.log.append(event.type, 'engine', event.data);
    if (event.type === 'plan.updated') this.planned = true;
    if (event.type === 'engine.claim' && event.data.commit !== null) this.claims.push(event.data.commit);
  }
}

function recordEnd(run: Run, end: SandboxEnd): void {
  const { engine, signal } = run.order;
  const { findings, log } = run;
  switch (end.kind) {
    case 'exited':
      findings.engine = { completion: 'exited', exitCode: end.exitCode, started: true };
      log.append('backend.exited', 'harness', { exit_code: end.exitCode, completion: 'exited' });
      break;
    case 'timed_out':
      findings.engine = { completion: 'timed_out', exitCode: 124, started: true };
      run.mark(
        'provider-timeout.txt',
        `${engine.name} was ended at its time limit after ${Math.round(end.durationMs)} ms`,
      );
      log.append('backend.timeout', 'harness', {
        after_ms: Math.round(end.durationMs),
        marker: 'backend/provider-timeout.txt',
      });
      break;
    case 'over_limit':
      findings.engine = { completion: 'exited', exitCode: null, started: true };
      log.append('backend.exited', 'harness', { exit_code: null, completion: 'exited' });
      run.fail(`${engine.name} went over its ${end.limit} limit`, { cause: true });
      break;
    case 'killed':
      findings.engine = { completion: 'exited', exitCode: null, started: true };
      log.append('backend.exited', 'harness', { exit_code: null, completion: 'exited' });
      if (!signal.aborted) run.block(`${engine.name} was killed`);
      break;
    case 'not_run':
      run.block(`confinement did not run ${engine.name}: ${end.detail}`);
  }
  diagnose(run);
}

/** Derived from the raw logs, not from a marker that may have been lost. */
function diagnose(run: Run): void {
  const logs = {
    stdout: readFileSync(run.artifact('backend/stdout.log'), 'utf8'),
    stderr: readFileSync(run.artifact('backend/stderr.log'), 'utf8'),
    exitCode: run.findings.engine.exitCode,
  };
  const cause = run.order.engine.diagnose(logs);
  if (cause === null) return;
  run.log.append('provider.unavailable', 'harness', { detail: run.mask.text(cause.detail) });
  run.block(cause.reason, { cause: true });
}
