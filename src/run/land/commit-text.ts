import { commitMessage } from '../apply/message.ts';
import type { ProvenRun } from './proven-run.ts';

/** `original`: the commit object that was judged, where no engine made the change; its message is kept. */
export function landingMessage(
  { report, contract, attestation }: ProvenRun,
  original: string | null,
  leftOut: readonly string[],
  withTests: boolean,
): string {
  return commitMessage({
    instruction: original === null ? contract.instruction : messageIn(original),
    runId: report.run_id,
    attestation,
    unproven: [],
    leftOut,
    withTests: withTests
      ? [...(report.deciding?.no_vote ?? []).map(({ path }) => path), ...(report.deciding?.own_tests ?? [])]
      : [],
  });
}

/** Author of a commit object, as environment variables for git. */
export function authorOf(commit: string): Readonly<Record<string, string>> {
  const [, name, email, date] = /^author (.*) <(.*)> (\d+ [+-]\d{4})$/m.exec(commit) ?? [];
  if (name === undefined || email === undefined || date === undefined) return {};
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: `@${date}` };
}

const messageIn = (commit: string): string => commit.slice(commit.indexOf('\n\n') + 2);
