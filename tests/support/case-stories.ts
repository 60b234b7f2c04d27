import { afterEach } from 'vitest';
import { SLUGIFY_SCRIPTS, type SlugifyScript } from '../../src/engines/case/self-test/slugify.ts';
import type { ModelScript } from '../../src/gateway/scripted/schema.ts';
import { type Json, type Played, type Setting, Workbench } from './case-workbench.ts';

export const NO_ENVELOPE = 'AGENT_RESULT start delimiter not found';
export const DONE = 'Pipeline completed successfully.';
export const FAILED = 'Pipeline failed at implementer phase.';

export const completed = (phase: string): string[] => [`phase_start ${phase}`, `phase_end ${phase} completed`];
/** Of a run in which nothing went wrong. */
export const GOOD_STORY = [
  'pipeline_start',
  ...['implement', 'verify', 'review', 'close', 'retrospective'].flatMap(completed),
  'pipeline_end completed',
];
/** Of a run whose implementer failed. */
export const FAILED_STORY = [
  'pipeline_start',
  'phase_start implement',
  'phase_end implement failed',
  ...completed('retrospective'),
  'pipeline_end failed implementer',
];

/** A workbench for each test of a file, and what they all ask of it. */
export function benchOf(program: string) {
  let bench: Workbench | null = null;
  afterEach(() => bench?.remove());

  const take = async (script: SlugifyScript | ModelScript): Promise<Workbench> => {
    bench = await Workbench.with(program, typeof script === 'string' ? SLUGIFY_SCRIPTS[script] : script);
    return bench;
  };
  const play = async (
    script: SlugifyScript | ModelScript,
    setting: Setting = {},
  ): Promise<Played & { bench: Workbench }> => {
    const taken = await take(script);
    return { ...(await taken.run(setting)), bench: taken };
  };
  return { take, play };
}

/** The first end of the implementer's phase; the skipped ones are of cycles that never came. */
export const implementerEnd = ({ events }: Played): Json =>
  events.find(({ event, phase, outcome }) => event === 'phase_end' && phase === 'implement' && outcome !== 'skipped');
