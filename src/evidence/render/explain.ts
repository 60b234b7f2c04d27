/** What a reason means and what to do about it, in plain words. */
interface Explanation {
  readonly when: RegExp;
  readonly means: string;
}

const EXPLANATIONS: readonly Explanation[] = [
  { when: /^no diff produced$/, means: 'The engine left the workspace as it found it, so there is nothing to judge.' },
  { when: /^disallowed file changed: /, means: 'A file was changed that the task does not allow to be changed.' },
  { when: /^tests failed$/, means: 'The deciding tests ran on the patched tree and at least one did not pass.' },
  {
    when: /^expected tests not reported: /,
    means: 'Tests that must run never reported a result. Ending early or silencing a test is not passing it.',
  },
  {
    when: /^missing test command$/,
    means: 'The task names no test command, or one that cannot be found, so nothing could decide.',
  },
  { when: /^missing required event: /, means: 'A step that every proven run shows was never recorded.' },
  { when: /^reviewer rejected$/, means: 'The review looked at contract and diff and turned the change down.' },
  {
    when: /^approval denied: /,
    means: 'The run needed a permission and did not get it. Without a policy, unattended runs get none.',
  },
  {
    when: / engine failed with exit code 124$/,
    means: 'The engine ran into its time limit and was stopped with all its processes.',
  },
  {
    when: / engine failed with exit code /,
    means: "The engine's program ended with an error. Its raw output is kept under backend/.",
  },
  {
    when: / lifecycle timeout after valid patch$/,
    means:
      'There was a usable patch, but the engine did not finish in time. A deadline is never a pass, whatever the patch.',
  },
  {
    when: /^dirty starting tree$/,
    means: 'The workspace had changes before the engine started, so its work could not be told apart.',
  },
  { when: /^dirty ending tree$/, means: 'The task asks for a commit, and changes were left uncommitted.' },
  {
    when: /^artifact write failed: /,
    means: 'A piece of evidence could not be written. Check space and permissions of the runs folder.',
  },
  {
    when: /^provider unavailable$/,
    means: 'The model provider, or what the engine needs to reach it, was not available.',
  },
  {
    when: /^claimed commit not found$/,
    means: 'The engine named a commit as its work, and the repository does not hold it.',
  },
  {
    when: /^patch does not reproduce the tree$/,
    means: 'Applying the recorded patch to the base did not give the tree that the engine left.',
  },
  {
    when: /^baseline did not pass$/,
    means: 'The control run on the same contract did not pass, so this machine or task cannot prove anything now.',
  },
  { when: /^run interrupted$/, means: 'The run ended before it was sealed: a crash, a kill or a power cut.' },
  {
    when: /^secret in patch: /,
    means:
      'The change would have put a credential into the evidence, so it was neither kept nor judged. backend/secret-in-patch.txt says whose.',
  },
  { when: /^interrupted$/, means: 'Somebody stopped the run. What was recorded until then is kept.' },
  { when: /^engine not enabled: /, means: 'This engine is switched off. Enable it in the configuration first.' },
  { when: /^stage not set$/, means: 'The engine needs to be told which stage it runs at, and was not.' },
  { when: /^stage not earned: /, means: 'The stage below has to be earned first.' },
  { when: /^source not admitted$/, means: "There is no admission record for the engine's source." },
  {
    when: /^executable not admitted$/,
    means: 'The program on this machine is not the one that was admitted: its digest has no record.',
  },
  { when: /^model not admitted$/, means: 'No model was named, or the one named has no admission record.' },
  {
    when: /^provider auth bridge unavailable$/,
    means: 'Credentials of this provider have no proven way to the engine.',
  },
  { when: /^provider response shape unavailable$/, means: 'The model answered in a form that the engine cannot use.' },
  {
    when: /^case agent result protocol failed$/,
    means: 'The engine ended without the result envelope that its protocol asks for.',
  },
  { when: /^expected tests skipped: /, means: 'Tests that must pass were skipped. Skipping is not passing.' },
  { when: /^no tests ran$/, means: 'The runner ended without having run a single test.' },
  {
    when: /^test channel tampered: /,
    means: 'The stream of test results contradicts itself, so none of it is believed.',
  },
  {
    when: /^the code under test ended before the tests did$/,
    means: 'The code under test went away while tests still called it, so what it did not answer is not proven.',
  },
  { when: /^tests timed out$/, means: 'The tests did not end within their time limit and were stopped.' },
  { when: /^tests (?:went over the limit|were killed)/, means: 'The tests were stopped before they had ended.' },
  {
    when: /^the tests could not be started: /,
    means: 'The judge could not start the tests at all, so there is no verdict on the change.',
  },
  {
    when: /^not installed: /,
    means: 'A program that the test command needs is not on this machine. Install it and run again.',
  },
  {
    when: /^the test runner exited with code /,
    means: 'Every test reported a pass, but the runner itself ended with an error.',
  },
  {
    when: /^isolation too weak for a high-risk task$/,
    means: 'Tests that share a process with the code they judge cannot carry a high-risk change.',
  },
  { when: /^review unavailable$/, means: 'The task asks for a review, and none could be had.' },
  {
    when: / went over its .+ limit$/,
    means: 'The engine used more than its share and was stopped with all its processes.',
  },
  { when: / was killed$/, means: 'Something from outside ended the engine, so its work may be unfinished.' },
  { when: /^changed after the deadline: /, means: 'A file changed after the time limit had passed.' },
  {
    when: /^(?:nested repository|a git repository of its own): /,
    means: 'The workspace holds a repository inside, whose content a patch cannot show.',
  },
  { when: /^link out of the tree: /, means: 'A symbolic link leads out of the workspace.' },
  {
    when: /^(?:device|pipe|socket|special file)\b/,
    means: 'The workspace holds something that is neither file, folder nor link.',
  },
  { when: /^unreadable/, means: 'A part of the workspace could not be read, so it cannot be vouched for.' },
  {
    when: /^internal error in step /,
    means: 'The harness itself broke. The run proves nothing; please report it with this bundle.',
  },
  {
    when: /^confinement |bubblewrap/,
    means: 'The confinement could not be set up or shown to hold. Nothing runs without it.',
  },
];

const UNKNOWN = 'Recorded by the harness; the timeline shows at which step.';

export function explainReason(reason: string): string {
  return EXPLANATIONS.find((entry) => entry.when.test(reason))?.means ?? UNKNOWN;
}
