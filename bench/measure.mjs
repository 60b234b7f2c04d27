import { spawnSync } from 'node:child_process';

/** The duration of a command in milliseconds. Throws if the command fails, because its time would be meaningless. */
export function timeOf({ argv, cwd, env }) {
  const started = performance.now();
  const result = spawnSync(argv[0], argv.slice(1), { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const ms = performance.now() - started;
  if (result.status !== 0) {
    throw new Error(
      `${argv.join(' ')} exited with ${result.status ?? result.signal ?? result.error}:\n${result.stderr}`,
    );
  }
  return ms;
}

/** The same, with what the command and all that it waited for wrote to disk. */
export function timeAndBytesOf({ argv, cwd, env }) {
  // The kernel adds the counts of children that were waited for to those of their parent.
  const counting = '"$@"; code=$?; grep ^write_bytes: /proc/$$/io >&2; exit $code';
  const started = performance.now();
  const result = spawnSync('sh', ['-c', counting, 'sh', ...argv], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const ms = performance.now() - started;
  if (result.status !== 0)
    throw new Error(`${argv.join(' ')} exited with ${result.status ?? result.signal}:\n${result.stderr}`);
  const bytes = Number(/^write_bytes: (\d+)$/m.exec(result.stderr)?.[1] ?? Number.NaN);
  return { ms, megabytes: bytes / 2 ** 20 };
}

/** Runs all commands once per round (A B A B …), after some warm-up rounds; returns the medians by name. */
export function interleave(commands, rounds, warmUps) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
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
