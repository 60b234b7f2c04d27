import type { Explanation } from './explanation.ts';

/** What the harness itself needs: a place to work in, and to be let finish. */
export const HARNESS: readonly Explanation[] = [
  { when: /^missing required event: /, means: 'A step that every proven run shows was never recorded.' },
  {
    when: /^artifact write failed: /,
    means: 'A piece of evidence could not be written. Check space and permissions of the runs folder.',
  },
  { when: /^run interrupted$/, means: 'The run ended before it was sealed: a crash, a kill or a power cut.' },
  {
    when: /^interrupted$/,
    means: 'The run was stopped by a signal. What the engine had done by then is kept, and was not judged.',
  },
  {
    when: /^setup command /,
    means: 'The dependencies could not be set up, so nothing was started. The logs of the setup are under backend/.',
  },
  {
    when: /^registry /,
    means: 'The setup could not get what it needed over the network.',
  },
  {
    when: /^protected root would be writable: /,
    means: 'The engine would have been able to write into a protected folder, so it was not started.',
  },
  {
    when: /^strace (?:is not installed|cannot trace)/,
    means:
      'An audit traces the engine, which did not work here, so it was not started. Without --audit the run needs none of it.',
  },
  {
    when: /^internal error in step /,
    means: 'The harness itself broke. The run proves nothing; please report it with this bundle.',
  },
  {
    when: /^confinement |bubblewrap/,
    means: 'The confinement could not be set up or shown to hold. Nothing runs without it.',
  },
];
