import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { loadProject } from '../../agents/config/load.ts';
import type { Project } from '../../agents/config/project.ts';
import { shellWord } from '../../agents/lifecycle/script.ts';
import { ownCommand } from '../../agents/lifecycle/environment.ts';
import { runTool } from '../../confine/processes/spawn.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { rollBackCutover, runCutover } from './execute.ts';
import { planCutover, type Surroundings } from './plan.ts';
import type { CutoverPlan } from './schema.ts';
import { startingShim } from './shim.ts';
import { startByUnit, stopLive } from './steps.ts';

const REMOVE_ATTEMPTS = 50;
const REMOVE_PAUSE_MS = 200;

/**
 * Does everything once on copies in a scratch directory: two projects with the agents of the staged one as demo agents, a boot chain with a shim of
 * the same kind, a tmux server of their own. Nothing of the real projects is touched. Throws if a step fails.
 */
export async function rehearseCutover(
  plan: CutoverPlan,
  { env, clock }: Surroundings,
  log: (line: string) => void,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-rehearsal-'));
  const socket = join(scratch, 'tmux.sock');
  const own = { ...env, SEATRIAL_TMUX_SOCKET: socket, XDG_RUNTIME_DIR: join(scratch, 'runtime') };
  const surroundings = { env: own, clock };
  try {
    const project = loadProject(plan.staged);
    const [live, staged] = ['live', 'staged'].map((name) => standIn(join(scratch, name), project));
    if (live === undefined || staged === undefined) return;
    const shim = writeChain(scratch, plan.shim_kind, live, env['PATH'] ?? '');
    const before = readFileSync(shim, 'utf8');
    const unit = join(scratch, 'rehearsal.service');
    const draft = await planCutover(
      { live, staged, unit, shim: plan.shim_kind === 'unit' ? undefined : shim, stop: undefined, unequal: false },
      surroundings,
    );
    log(`rehearsal: ${await startByUnit(draft, draft.live, surroundings)}`);
    const rehearsed = { ...draft, live_runs: true };
    await runCutover(rehearsed, surroundings, (line) => log(`rehearsal: ${line}`));
    await rollBackCutover(rehearsed, 'discard', surroundings, (line) => log(`rehearsal: back: ${line}`));
    if (readFileSync(shim, 'utf8') !== before)
      throw new SeatrialError('blocked', `the rehearsal did not restore ${shim}`);
    await stopLive(rehearsed, surroundings);
  } finally {
    if (existsSync(socket)) await runTool('tmux', ['-S', socket, 'kill-server']);
    await removeScratch(scratch);
  }
}

/** Processes of a server that was killed may write until they notice it. */
async function removeScratch(scratch: string): Promise<void> {
  for (let left = REMOVE_ATTEMPTS; ; left -= 1)
    try {
      await removeTree(scratch);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, REMOVE_PAUSE_MS));
    }
}

/** A project with the same agents under the same names, all of them demo agents without phases. */
function standIn(dir: string, { prefix, agents }: Project): string {
  mkdirSync(dir, { recursive: true });
  const table = agents.map(({ name, session, kind, enabled }): [string, Record<string, string | boolean>] => [
    name,
    {
      kind: kind === 'loop' ? 'persistent' : kind,
      session: session.slice(prefix.length),
      enabled,
      ...(kind === 'service' ? { command: 'sleep 3600' } : { backend: 'demo' }),
    },
  ]);
  writeFileSync(
    join(dir, 'agents.toml'),
    stringify({ session_prefix: prefix, log_dir: '.ao-state', agents: Object.fromEntries(table) }),
  );
  return dir;
}

function writeChain(scratch: string, kind: CutoverPlan['shim_kind'], live: string, path: string): string {
  const unit = join(scratch, 'rehearsal.service');
  const command = [...ownCommand(), 'up', '--resume', '--project', live];
  if (kind === 'unit') {
    writeFileSync(unit, `[Service]\nExecStart=${command.map((word) => JSON.stringify(word)).join(' ')}\n`);
    return unit;
  }
  const shim = join(scratch, kind === 'python' ? 'launch.py' : 'launch.sh');
  writeFileSync(shim, startingShim(kind, '', command, path));
  chmodSync(shim, 0o755);
  writeFileSync(unit, `[Service]\nExecStart=${kind === 'python' ? 'python3' : '/bin/sh'} ${shellWord(shim)}\n`);
  return shim;
}
