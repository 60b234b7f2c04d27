/** So that an engine can commit, and that trying its work leaves no compiled files behind. All else is the confinement's. */
export const agentEnvironment = ({ startedAt }: { readonly startedAt: string }): Readonly<Record<string, string>> => ({
  GIT_AUTHOR_NAME: 'agent',
  GIT_AUTHOR_EMAIL: 'agent@localhost',
  GIT_COMMITTER_NAME: 'agent',
  GIT_COMMITTER_EMAIL: 'agent@localhost',
  // The same work gives the same commit, also when it is replayed.
  GIT_AUTHOR_DATE: startedAt,
  GIT_COMMITTER_DATE: startedAt,
  PYTHONDONTWRITEBYTECODE: '1',
});
