/** So that an engine can commit, and that trying its work leaves no compiled files behind. All else is the confinement's. */
export const AGENT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'agent',
  GIT_AUTHOR_EMAIL: 'agent@localhost',
  GIT_COMMITTER_NAME: 'agent',
  GIT_COMMITTER_EMAIL: 'agent@localhost',
  PYTHONDONTWRITEBYTECODE: '1',
};
