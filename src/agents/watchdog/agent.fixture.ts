import type { Agent } from '../config/project.ts';

/** A builder that is healed when it dies or stalls. */
export const AGENT: Agent = {
  name: 'builder',
  kind: 'loop',
  role: 'builder',
  session: 't-builder',
  backend: 'demo',
  ownModel: null,
  watch: 'heal+stall',
  enabled: true,
  dir: null,
  env: [],
  prompt: null,
  scheduleMs: null,
  command: null,
  args: [],
  stallAfterMs: 600_000,
  resume: 'auto',
  maxResumes: 2,
};
