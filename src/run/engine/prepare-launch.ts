import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SANDBOX_PATH } from '../../confine/environment.ts';
import type { SandboxSpec } from '../../confine/types.ts';
import type { Launch, LaunchContext, OwnLog } from '../../engines/definition.ts';
import type { NoTargetInspection } from '../../evidence/schema/no-target.ts';
import { decidesToolCalls } from '../approvals/decide.ts';
import type { Contract } from '../../task/contract.ts';
import { writeFailed } from '../../evidence/storage/write-failed.ts';
import { noteShown, type ProbedSandbox } from '../sandbox.ts';
import type { AdmittedEngine } from '../steps/checks.ts';
import type { Run } from '../steps/state.ts';
import { headOf, type Place } from './completion.ts';
import { recordReach } from './reach/reach.ts';
import { HIDDEN_DIR, hideSettings } from './settings/hide.ts';
import { pathInside } from '../../confine/path-inside.ts';

/** All that an engine works with. */
export interface Workplace extends Place {
  readonly sandbox: ProbedSandbox;
  readonly admitted: AdmittedEngine;
}

/** An engine that is ready to be started. */
export interface PreparedLaunch {
  /** With the engine's own mounts. */
  readonly sandbox: ProbedSandbox;
  readonly spec: SandboxSpec;
  readonly stdin: string;
  readonly converse: Launch['converse'];
  readonly inspection: NoTargetInspection;
  readonly ownLog: OwnLog | null;
  /** Null: the engine keeps no log of its own, so that nothing is watched for. */
  readonly baseCommit: string | null;
}

/** Lays out what the engine needs and writes down what it will see. Nothing of it runs yet. */
export async function prepareLaunch(
  run: Run,
  { contract, sandbox: bare, start, admitted }: Workplace,
): Promise<PreparedLaunch> {
  const { engine, replay } = run.request;
  const hidden = await hideSettings(start.hidden, start.base, bare, run.scratchPath(HIDDEN_DIR));
  noteShown(run, admitted.mounts, admitted.port === null ? null : 'gateway');
  const mounts = [...bare.mounts, ...admitted.mounts, ...hidden];
  const at = (path: string): string => pathInside(bare.confinement, path, mounts);
  const sandbox = { ...bare, mounts, at };
  const context: LaunchContext = {
    contract: { ...contract, instruction: instructionFor(contract) },
    at,
    attempt: `seatrial-${run.bundle.nonce}`,
    startedAt: replay?.startedAt ?? run.bundle.startedAt,
    program: admitted.program === null ? null : at(admitted.program),
    model: admitted.model,
    asks: decidesToolCalls(run.request.environment.approvals),
  };
  const described = engine.launch(context);
  if ('refused' in described) run.block(described.refused);
  const launch = layLaunch(run, sandbox, described, admitted);
  sandbox.confinement.give(sandbox.workspace.source);
  const inspection = recordReach(run, contract, sandbox, launch);
  const ownLog = engine.ownLog(context);
  const baseCommit = ownLog === null ? null : await headOf(run, sandbox);
  if (admitted.port !== null) sandbox.confinement.give(admitted.port.dir);
  const spec: SandboxSpec = {
    argv: launch.argv,
    env: launch.env,
    cwd: at(sandbox.cwd),
    mounts,
    limits: run.limits,
    timeoutMs:
      1000 * Math.min(admitted.timeLimitSec ?? contract.agent_timeout_sec, contract.attempt?.time_left_sec ?? Infinity),
  };
  return { sandbox, spec, stdin: launch.stdin, converse: launch.converse, inspection, ownLog, baseCommit };
}

/** All that the engine is told. */
function instructionFor({ instruction, engine_instructions: own, attempt: further }: Contract): string {
  const more = [own, further?.feedback].filter((text) => text !== undefined);
  return more.length === 0 ? instruction : [instruction.trimEnd(), ...more].join('\n\n');
}

/** Lays the engine's configuration where it finds it, and keeps a copy. */
function layLaunch(run: Run, sandbox: ProbedSandbox, launch: Launch, admitted: AdmittedEngine): Launch {
  const kept = run.artifact('backend');
  try {
    mkdirSync(kept, { recursive: true });
  } catch (error) {
    throw writeFailed(kept, error);
  }
  for (const [name, text] of Object.entries(launch.files)) {
    const path = run.scratchPath('artifacts', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    run.log.writeMasked(`backend/${name}`, text);
  }
  if (Object.keys(launch.files).length > 0) sandbox.confinement.give(run.scratchPath('artifacts'));
  const env = { ...sandbox.env, ...launch.env };
  const path = [...admitted.searched, env['PATH'] ?? SANDBOX_PATH].join(':');
  return { ...launch, env: admitted.searched.length === 0 ? env : { ...env, PATH: path } };
}
