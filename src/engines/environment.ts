import type { ModelAccess } from './definition.ts';

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

/** Address, throw-away key and name of the model under the usual names. */
export function modelEnvironment({ origin, key, wire, name }: ModelAccess): Readonly<Record<string, string>> {
  const model = { SEATRIAL_MODEL: name };
  switch (wire) {
    case 'openai-chat':
    case 'openai-responses':
      return { ...model, OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: key };
    case 'anthropic-messages':
      return { ...model, ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: key };
    case 'gemini':
      return { ...model, GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: key };
  }
}
