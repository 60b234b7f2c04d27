import type { Explanation } from './explanation.ts';

/** What the engine did, and what it left. */
export const WORK: readonly Explanation[] = [
  {
    when: / engine failed with exit code 124$/,
    means: 'The engine ran into its time limit and was stopped with all its processes.',
  },
  {
    when: / engine failed with exit code null$/,
    means: 'The engine was ended from outside and left no exit code. The other reasons say why.',
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
    when: /^case agent result protocol failed$/,
    means:
      "The engine's last answer held no result envelope that can be read, so nothing was handed over. backend/provider-agent-protocol.txt has its words.",
  },
  {
    when: / went over its .+ limit$/,
    means: 'The engine used more than its share and was stopped with all its processes.',
  },
  { when: / was killed$/, means: 'Something from outside ended the engine, so its work may be unfinished.' },
  { when: /^no diff produced$/, means: 'The engine left the workspace as it found it, so there is nothing to judge.' },
  {
    when: /^disallowed file changed: /,
    means:
      "A file was changed that the task does not allow to be changed, or that no engine may change whatever is allowed: Seatrial's settings, git hooks, programs of git filters, .gitmodules. Change those by hand.",
  },
  { when: /^dirty ending tree$/, means: 'The task asks for a commit, and changes were left uncommitted.' },
  {
    when: /^claimed commit not found$/,
    means: 'The engine named a commit as its work, and the repository does not hold it.',
  },
  {
    when: /^patch does not reproduce the tree$/,
    means: 'Applying the recorded patch to the base did not give the tree that the engine left.',
  },
  {
    when: /^secret in patch: /,
    means:
      'The change would have put a credential into the evidence: the file was left out of the patch, and nothing was judged. backend/secret-in-patch.txt says whose.',
  },
  { when: /^changed after the deadline: /, means: 'A file changed after the time limit had passed.' },
  {
    when: /^protected root changed: /,
    means: 'A folder that no engine may touch was not the same afterwards. Look at what changed there.',
  },
  {
    when: /^audit was cut off$/,
    means:
      'The engine, or what it started, ended the tracer or laid hands on it: what it did from then on is not known. The marker says how.',
  },
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
  { when: /^reviewer rejected$/, means: 'The review looked at contract and diff and turned the change down.' },
  { when: /^review unavailable$/, means: 'The task asks for a review, and none could be had.' },
  {
    when: /^approval denied: /,
    means: 'The run needed a permission and did not get it. Without a policy, unattended runs get none.',
  },
];
