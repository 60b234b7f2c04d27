import { openContenders } from './gateway/contenders.mjs';
import { median } from './measure.mjs';

/** Enough requests for the JIT compiler to reach steady state. */
const WARM_UP = { requests: 10_000, atOnce: 32 };

/** Each entry measures one figure; `within` checks it against the target in `asked`. All routes are measured once per round. */
export const BENCHMARKS = {
  a: latency('one at a time, whole answers', false, 300),
  b: latency('one at a time, streams of 50 events', true, 150),
  c: throughput('32 at once, whole answers', false, 3000),
  d: throughput('32 at once, streams of 50 events', true, 1000),
};

function latency(title, streamed, requests) {
  return {
    title,
    asked: 'adds <= 1 ms to p50',
    rounds: 9,
    measure: async (rounds) => {
      const ways = await inTurn({ streamed, requests, atOnce: 1 }, rounds);
      return { ways, added_p50_ms: ways.gateway.p50_ms - ways.direct.p50_ms };
    },
    within: ({ added_p50_ms }) => added_p50_ms <= 1,
  };
}

function throughput(title, streamed, requests) {
  return {
    title,
    asked: '>= a plain proxy, >= 2 x a public gateway',
    rounds: 9,
    measure: async (rounds) => {
      const ways = await inTurn({ streamed, requests, atOnce: 32 }, rounds);
      const against = (peer) => ways.gateway.per_second / ways[peer].per_second;
      return { ways, against_proxy: against('proxy'), against_portkey: against('portkey') };
    },
    within: ({ against_proxy, against_portkey }) => against_proxy >= 1 && against_portkey >= 2,
  };
}

async function inTurn(order, rounds) {
  const { ways, load, close } = await openContenders();
  try {
    const seen = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (const way of Object.values(ways)) await load({ ...way, ...order, ...WARM_UP });
    for (let round = 0; round < rounds; round += 1)
      for (const [name, way] of Object.entries(ways)) seen[name].push(await load({ ...way, ...order }));
    return Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, summary(all)]));
  } finally {
    close();
  }
}

/** Medians over the rounds. */
function summary(all) {
  const of = (figure) => median(all.map(figure));
  return {
    p50_ms: of(({ times_ms }) => quantile(times_ms, 0.5)),
    p95_ms: of(({ times_ms }) => quantile(times_ms, 0.95)),
    per_second: of(({ per_second }) => per_second),
  };
}

function quantile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];
}

export function row(letter, { title, asked, ok, ways }) {
  const lines = Object.entries(ways).map(([name, { p50_ms, p95_ms, per_second }]) => {
    const columns = [`p50 ${p50_ms.toFixed(2)} ms`, `p95 ${p95_ms.toFixed(2)} ms`, `${per_second.toFixed(0)}/s`];
    return `    ${name.padEnd(10)}${columns.map((column) => column.padStart(15)).join('')}`;
  });
  return [`(${letter}) ${title}   ${ok ? 'ok' : 'MISSED'} (${asked})`, ...lines].join('\n');
}
