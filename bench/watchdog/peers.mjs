import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './project.mjs';

const installed = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** A program that says when it starts, as an agent does when it reads its kickoff. */
const SAYS =
  "require('fs').appendFileSync(process.argv[2], `${process.pid} ${Date.now()}\\n`); setInterval(() => {}, 1e6);\n";

const PEERS = {
  pm2: (place) => {
    const env = { ...process.env, PM2_HOME: join(place.root, 'pm2') };
    const pm2 = (...args) => spawnSync('pm2', args, { env, stdio: 'ignore' });
    pm2('start', place.program, '--name', 'bench', '--', place.said);
    return () => pm2('kill');
  },
  supervisord: (place) => {
    const config = join(place.root, 'supervisord.conf');
    writeFileSync(
      config,
      `[supervisord]\nnodaemon=true\nlogfile=${place.root}/log\npidfile=${place.root}/pid\n[program:bench]\ncommand=${process.execPath} ${place.program} ${place.said}\nautorestart=true\nstartsecs=0\n`,
    );
    const child = spawn('supervisord', ['-c', config], { stdio: 'ignore' });
    return () => child.kill('SIGTERM');
  },
};

/** Times of each installed peer from SIGKILL to the restarted program, or null where it is not installed. */
export async function measurePeers(rounds) {
  const measured = {};
  for (const [name, start] of Object.entries(PEERS))
    measured[name] = installed(name) ? await measure(start, rounds) : null;
  return measured;
}

async function measure(start, rounds) {
  const root = mkdtempSync(join(tmpdir(), 'seatrial-bench-peer-'));
  const place = { root, program: join(root, 'says.cjs'), said: join(root, 'said') };
  writeFileSync(place.program, SAYS);
  appendFileSync(place.said, '');
  const starts = () => readFileSync(place.said, 'utf8').trim().split('\n').filter(Boolean);
  const stop = start(place);
  const times = [];
  try {
    if (!(await until(() => starts().length > 0, 30_000))) return null;
    for (let round = 0; round < rounds; round += 1) {
      const before = starts();
      const [pid] = before.at(-1).split(' ').map(Number);
      const killedAt = Date.now();
      process.kill(pid, 'SIGKILL');
      if (!(await until(() => starts().length > before.length, 30_000))) continue;
      times.push(Number(starts().at(-1).split(' ')[1]) - killedAt);
    }
  } finally {
    stop();
    rmSync(root, { recursive: true, force: true });
  }
  return times;
}
