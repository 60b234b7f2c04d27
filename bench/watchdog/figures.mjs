import { readFileSync } from 'node:fs';
import { interleave } from '../measure.mjs';
import { measurePeers } from './peers.mjs';
import { BenchProject, pause, until } from './project.mjs';

const HEAL_AGENTS = 8;
const PEER_ROUNDS = 10;
const SETTLE_MS = 10_000;
const WATCH_MS = 30_000;
const LONG_MS = 300_000;

function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
  return { n: times.length, p50_ms: at(0.5), p95_ms: at(0.95), times_ms: times };
}

/** Each agent is killed in turn; `up <agent>` in between begins a new count of restarts, so that each restart is the first. */
export async function heal(rounds) {
  const project = new BenchProject(HEAL_AGENTS, 'demo');
  project.call('up');
  const taken = () => project.facts('kickoff.delivered').filter((fact) => fact.taken);
  if (!(await until(() => taken().length === HEAL_AGENTS, LONG_MS))) throw new Error('kickoffs were not taken');
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const name = project.names[round % HEAL_AGENTS];
    project.call('up', name);
    const before = taken().length;
    const killedAt = Date.now();
    process.kill(project.programs().get(name), 'SIGKILL');
    if (!(await until(() => taken().length > before, 60_000))) continue;
    times.push(Date.parse(taken().at(-1).time) - killedAt);
  }
  project.close();
  const peers = await measurePeers(PEER_ROUNDS);
  const shown = Object.entries(peers).map(([peer, all]) => [peer, all === null ? 'not installed' : quantiles(all)]);
  return { seatrial: quantiles(times), ...Object.fromEntries(shown) };
}

let shells = null;

/** The project with 200 sessions serves several figures. */
async function manySessions() {
  if (shells !== null) return shells;
  shells = new BenchProject(200, 'command');
  shells.call('up');
  await until(() => shells.programs().size === 200, LONG_MS, 500);
  await pause(SETTLE_MS);
  return shells;
}

export async function idle() {
  const sessions = {};
  for (const count of [10, 50, 200]) {
    const project = count === 200 ? await manySessions() : new BenchProject(count, 'command');
    if (count !== 200) {
      project.call('up');
      await until(() => project.programs().size === count, LONG_MS, 500);
      await pause(SETTLE_MS);
    }
    const pids = { watchdog: project.watchdogPid(), tmux: project.serverPid() };
    const before = { watchdog: ticks(pids.watchdog), tmux: ticks(pids.tmux) };
    await pause(WATCH_MS);
    const percent = (name) => ((ticks(pids[name]) - before[name]) * 1000) / WATCH_MS;
    sessions[count] = {
      watchdog_percent: percent('watchdog'),
      tmux_percent: percent('tmux'),
      watchdog_mb: megabytes(pids.watchdog),
      tmux_mb: megabytes(pids.tmux),
    };
    if (count !== 200) project.close();
  }
  return { sessions };
}

export async function status(rounds) {
  const project = await manySessions();
  const times = interleave({ status: project.command('status'), help: project.command('--help') }, rounds, 2);
  return { status_ms: times.status.median_ms, help_ms: times.help.median_ms };
}

export async function missed(rounds) {
  const project = await manySessions();
  const started = () => project.facts('agent.started').length;
  let [crashes, healed] = [0, 0];
  const slowest = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = started();
    const programs = [...project.programs().values()];
    for (const pid of programs) process.kill(pid, 'SIGKILL');
    const killedAt = Date.now();
    crashes += programs.length;
    await until(() => started() - before >= programs.length, LONG_MS, 250);
    await until(() => project.programs().size === project.names.length, LONG_MS, 250);
    healed += started() - before;
    slowest.push(Date.now() - killedAt);
  }
  project.close();
  return { crashes, healed, missed: crashes - healed, all_healed_within_ms: Math.max(...slowest) };
}

function ticks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function megabytes(pid) {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}
