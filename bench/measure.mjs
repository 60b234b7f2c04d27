import { spawnSync } from 'node:child_process';

/** Milliseconds that a command took; throws when it did not end as it should, for then its time means nothing. */
export function timeOf({ argv, cwd, env }) {
  const started = performance.now();
  const ended = spawnSync(argv[0], argv.slice(1), { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const ms = performance.now() - started;
  if (ended.status !== 0) {
    throw new Error(`${argv.join(' ')} ended with ${ended.status ?? ended.signal ?? ended.error}:\n${ended.stderr}`);
  }
  return ms;
}

/** Runs all commands once a round (A B A B …), after rounds that do not count; the medians, by name. */
export function interleave(commands, rounds, uncounted) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = -uncounted; round < rounds; round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const ms = timeOf(command);
      if (round >= 0) times[name].push(ms);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, { median_ms: median(all), times_ms: all }]),
  );
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
