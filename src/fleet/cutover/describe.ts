import { findWatchdogs } from '../live/watchdogs.ts';
import type { CutoverEntry, CutoverPlan, CutoverStep } from './schema.ts';
import { type Standing, cutoverStanding, stepsOf } from './standing.ts';
import { readEntries } from './store.ts';

/** What each step does, and how it is seen to have worked. */
const TITLES: Readonly<Record<CutoverStep, string>> = {
  'keep-files': 'keep the files that change; check: their copies are there',
  hold: 'let the boot chain start nothing; check: the shim is the holding one',
  'stop-live': 'stop the live project; check: no watchdog and no session under its names',
  'stop-staged': 'stop the staged project; check: nothing of it runs',
  'keep-state': 'keep the state of the live project; check: its copy is there',
  state: 'put the state back, byte for byte; what it was is archived',
  config: 'set log_dir of the staged project; check: agents.toml says so',
  shim: 'change the shim; check: it starts the right project',
  start: 'start what the unit starts; check: exactly one watchdog, of the right project',
  finish: 'put what was kept aside',
};

export interface CutoverStatus {
  readonly standing: Standing;
  readonly entries: readonly CutoverEntry[];
  readonly watchdogs: readonly { readonly pid: number; readonly project: string }[];
}

/** Where a cutover stands, and who runs. Writes nothing. */
export function cutoverStatus(plan: CutoverPlan): CutoverStatus {
  const entries = readEntries(plan.staged);
  return {
    standing: cutoverStanding(entries),
    entries,
    watchdogs: findWatchdogs(plan).map(({ pid, dir }) => ({ pid, project: dir })),
  };
}

/** The runbook of a plan. */
export function planLines(plan: CutoverPlan): string[] {
  return [
    `boot chain: ${plan.chain.join(' → ')}`,
    `shim: ${plan.shim} (${plan.shim_kind})`,
    `stop: ${plan.stop}`,
    `start: ${plan.start.argv.join(' ')} in ${plan.start.cwd}`,
    ...stepsOf('forward').map((step, index) => `${index + 1}. ${step}: ${TITLES[step]}`),
    ...plan.not_started_again.map(
      (session) => `warning: session ${session} runs now, and is not started again: it is a task or disabled`,
    ),
    ...(plan.shim_kind === 'unit'
      ? ['warning: systemd reads the changed unit only after `systemctl daemon-reload`']
      : []),
    'the old files stay; rollback puts shim, agents.toml and state back',
  ];
}

export function statusText(plan: CutoverPlan, { standing, watchdogs }: CutoverStatus): string[] {
  const { way, done, open, finished } = standing;
  const who =
    watchdogs.length === 0 ? 'none' : watchdogs.map(({ pid, project }) => `process ${pid} of ${project}`).join(', ');
  const steps =
    way === null
      ? []
      : stepsOf(way).map(
          (step) => `${done.includes(step) ? 'done' : step === open ? 'OPEN' : '-'}\t${step}: ${TITLES[step]}`,
        );
  return [
    headline(standing),
    ...steps.map((line) => line.replace('\t', ' '.repeat(6 - line.indexOf('\t')))),
    `watchdogs: ${who}`,
    ...(way === null
      ? [`next: seatrial cutover run ${plan.staged}`]
      : [
          ...(way === 'forward' && finished ? [] : [`forward: seatrial cutover run ${plan.staged}`]),
          `back: seatrial cutover rollback ${plan.staged}`,
        ]),
  ];
}

function headline({ way, open, finished, done }: Standing): string {
  if (way === null) return 'not cut over';
  if (finished) return 'cut over';
  const at = open ?? stepsOf(way).find((step) => !done.includes(step)) ?? 'the end';
  return way === 'forward' ? `half cut over: stopped in ${at}` : `half rolled back: stopped in ${at}`;
}
