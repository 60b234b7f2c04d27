import { heal, idle, missed, status } from './watchdog/figures.mjs';

/** What the orchestrator promises: no crash is missed, a crash is healed at once, and watching costs next to nothing. */
export const BENCHMARKS = {
  h: {
    title: 'SIGKILL of an agent until its kickoff is taken again, beside pm2 and supervisord until the process is back',
    asked: 'p95 <= 500 ms',
    rounds: 40,
    measure: heal,
    within: ({ seatrial }) => seatrial.p95_ms <= 500,
  },
  m: {
    title: '200 sessions, each killed 5 times, with the restart intensity of the product',
    asked: '0 missed',
    rounds: 5,
    measure: missed,
    within: ({ crashes, healed }) => crashes > 0 && healed === crashes,
  },
  i: {
    title: 'processor and memory of the watchdog and of tmux with 10, 50 and 200 idle sessions',
    asked: 'watchdog <= 2 % of a core at 200',
    rounds: 1,
    measure: idle,
    within: ({ sessions }) => sessions[200].watchdog_percent <= 2,
  },
  s: {
    title: '`status` with 200 sessions, against `--help`',
    asked: 'status <= 1.3 x help + 20 ms',
    rounds: 15,
    measure: status,
    within: ({ status_ms, help_ms }) => status_ms <= 1.3 * help_ms + 20,
  },
};

export function row(letter, { title, asked, ok, ...figures }) {
  const text = JSON.stringify(figures, (_, value) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : Array.isArray(value) ? undefined : value,
  );
  return `${ok ? 'ok' : 'NO'}  ${letter}  ${title}\n      ${text}\n      asked: ${asked}`;
}
