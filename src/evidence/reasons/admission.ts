import type { Explanation } from './explanation.ts';

/** What is asked before anything starts. */
export const ADMISSION: readonly Explanation[] = [
  {
    when: /^missing test command$/,
    means: 'The task names no test command, or one that cannot be found, so nothing could decide.',
  },
  {
    when: /^isolation too weak for a high-risk task$/,
    means: 'Tests that share a process with the code they judge cannot carry a high-risk change.',
  },
  {
    when: /^dirty starting tree$/,
    means: 'The workspace had changes before the engine started, so its work could not be told apart.',
  },
  {
    when: /^engine not enabled: /,
    means:
      'This engine is switched off. Case runs only with CTO_HARNESS_ALLOW_CASE=1, others unless seatrial.toml disables them.',
  },
  {
    when: /^stage not set$/,
    means: 'This engine runs only at a stage that was named. For Case, name it in CTO_HARNESS_CASE_STAGE.',
  },
  {
    when: /^stage not earned: /,
    means: 'Stages are climbed one by one, and the one named here has to be earned first: seatrial check shows how.',
  },
  {
    when: /^source not admitted$/,
    means:
      "From stage 3 on, the source of the engine's program must be on record. Record it with seatrial admit source.",
  },
  {
    when: /^executable not admitted$/,
    means:
      'No record has the digest of this program, so it is not one that was admitted. If you trust it: seatrial admit executable.',
  },
  {
    when: /^executable changed: /,
    means:
      'The program was replaced between the check of its digest and its start, so it was not started. Find out by whom, then run again.',
  },
  {
    when: /^model not admitted$/,
    means:
      'No model was named, or no record admits the one named; no engine may choose for itself. seatrial admissions lists what may be used.',
  },
  {
    when: /^invalid time limit$/,
    means: 'The time limit set for this engine is no number of seconds. Give whole seconds of at least 1, or unset it.',
  },
  { when: /^refused: /, means: 'A check refused and gave no further reason.' },
];
