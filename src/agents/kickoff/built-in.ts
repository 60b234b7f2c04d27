/** Serves when agents.toml names no kickoff. */
export const BUILT_IN_KICKOFF = `You are the {role_name} of phase {phase_id}.

Work on the plan {plan}, which lies beside agents.toml (the variable SEATRIAL_PLAN has its full path).
Your working directory is a clone of the repository: {repo}
The phase began at commit {base}; claims must descend from it.

Files of this phase:
- status, written by the builder: {status}
- review, written by the adversary: {review}
- journal, the builder's own notes: {journal}
- your inbox, which is appended to while you work: {inbox}

{role}`;

const BUILDER = `Do what the plan asks, with tests, and commit it in your clone. Keep your reasoning in the journal.
When it is done, append a line to the status file, outside of code fences:

CLAIM <full id of the commit>

Then wait. The adversary examines the commit, and the tests of the base judge it. If either turns it down, the reason arrives in your
inbox: mend it, commit, and claim the new commit. If you have to wait for something else, append: WAITING until <UTC time>.
`;

const ADVERSARY = `Try to refute the builder's claim. Your inbox names the claimed commit; it is in your clone, and nothing else of the builder is.
Check it out, read it against the plan, run it, and try what the builder did not think of. You cannot see the builder's journal
before your verdict. Write what you found to the review file and end with one line, outside of code fences:

VERDICT PASS <full id of the commit>   or   VERDICT FAIL <full id of the commit>

Say PASS only if you could not refute it. If there is no claim yet, wait.
`;

/** By role; others are told no more than their name. */
export const BUILT_IN_ROLES: Readonly<Record<string, string>> = { builder: BUILDER, adversary: ADVERSARY };
