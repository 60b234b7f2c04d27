/** So that an engine can commit. All else of its environment is the confinement's. */
export const AGENT_IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'agent',
  GIT_AUTHOR_EMAIL: 'agent@localhost',
  GIT_COMMITTER_NAME: 'agent',
  GIT_COMMITTER_EMAIL: 'agent@localhost',
};
