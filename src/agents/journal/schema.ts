import * as z from 'zod/mini';
import { count, isoTime, sha256Hex } from '../../evidence/schema/parts.ts';
import { AGENT_KINDS } from '../config/schema.ts';

const frame = { version: z.literal(1), seq: count, time: isoTime, prev: sha256Hex, hash: sha256Hex };
const commit = z.string().check(z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/));
/** A fact about one start of an agent. Facts of another start are kept and ignored. */
const spawned = { agent: z.string(), spawn: z.string() };
const evidence = z.array(z.string());

function fact<T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) {
  return z.strictObject({ ...frame, type: z.literal(type), ...shape });
}

/** Everything that can have happened, in the order in which a project lives through it. */
export const journalEntry = z.discriminatedUnion('type', [
  fact('watchdog.started', { spawn: z.string(), pid: count, start_time: z.string(), fence: count }),
  fact('watchdog.stopped', { why: z.string() }),

  // What a person wants. `once`: a disabled agent that is to run until it is stopped.
  fact('agent.wanted', { agent: z.string(), wanted: z.enum(['up', 'down']), by: z.string() }),
  fact('agent.paused', { agent: z.nullable(z.string()), paused: z.boolean() }),

  // The life of one start.
  fact('agent.started', {
    ...spawned,
    session: z.string(),
    kind: z.enum(AGENT_KINDS),
    why: z.string(),
    backend: z.nullable(z.string()),
    model: z.nullable(z.string()),
    phase: z.nullable(z.string()),
    conversation: z.nullable(z.string()),
    resumed: z.boolean(),
    /** Digest of what it was started with, to compare with what agents.toml says now. */
    settings: sha256Hex,
  }),
  fact('agent.conversation', { ...spawned, conversation: z.string() }),
  fact('kickoff.delivered', { ...spawned, taken: z.boolean(), evidence }),
  fact('agent.died', {
    ...spawned,
    how: z.enum(['exited', 'killed', 'gone']),
    code: z.nullable(z.int()),
    signal: z.nullable(z.string()),
    evidence,
  }),
  /** Ended on purpose: by a person, or because its phase is over. */
  fact('agent.stopped', { ...spawned, why: z.string() }),
  fact('restart.planned', { ...spawned, at: isoTime, attempt: count }),
  fact('agent.failed', { ...spawned, why: z.string() }),
  fact('agent.done', { ...spawned }),

  // What a watchdog made of a quiet agent.
  fact('agent.needs', { ...spawned, what: z.string(), evidence }),
  fact('agent.limited', { ...spawned, until: z.nullable(isoTime), evidence }),
  fact('agent.stalled', { ...spawned, evidence }),
  fact('agent.nudged', { ...spawned, evidence }),
  fact('agent.recovered', { ...spawned, evidence }),
  fact('message.sent', { ...spawned, sha256: sha256Hex, taken: z.boolean() }),

  // Phases. `base`: the commit of the repository when the phase began.
  fact('phase.began', { phase: z.string(), index: count, base: z.nullable(commit) }),
  fact('claim.seen', { phase: z.string(), commit, agent: z.string(), spawn: z.nullable(z.string()) }),
  /** The adversary, stopped, was given the commit. What its review said before that does not count. */
  fact('claim.handed', { phase: z.string(), commit, review_length: count }),
  fact('claim.refused', { phase: z.string(), claim: z.string(), why: z.string() }),
  fact('verdict.seen', { phase: z.string(), commit, verdict: z.enum(['PASS', 'FAIL']), text: z.string() }),
  fact('proof.started', { phase: z.string(), commit, attempt: count }),
  fact('proof.ended', {
    phase: z.string(),
    commit,
    attempt: count,
    verdict: z.enum(['pass', 'fail', 'blocked']),
    reason: z.nullable(z.string()),
    bundle: z.nullable(z.string()),
  }),
  fact('landing.started', { phase: z.string(), commit, attempt: count }),
  /** `landed`: the commit on the branch. */
  fact('landing.ended', {
    phase: z.string(),
    commit,
    attempt: count,
    verdict: z.enum(['landed', 'fail', 'blocked']),
    reason: z.nullable(z.string()),
    landed: z.nullable(commit),
  }),
  fact('phase.needs', { phase: z.string(), what: z.string() }),
  /** The one commit of an advance: written before `phase-idx`, which any reader can derive from it. */
  fact('phase.ended', {
    phase: z.string(),
    index: count,
    outcome: z.enum(['proven', 'agreed']),
    commit,
    bundle: z.nullable(z.string()),
    /** Where a landing was asked for: the commit on the branch. */
    landed: z.optional(commit),
  }),
  fact('phase.set', { index: count, by: z.string() }),

  fact('inbox.received', { phase: z.string(), role: z.string(), text: z.string() }),
  fact('inbox.restored', { phase: z.string(), role: z.string(), sha256: sha256Hex }),
  /** `about`: place of the fact that a person was told of. */
  fact('notify.sent', { about: count, ok: z.boolean() }),
  /** A clone was moved into the archive, or back. */
  fact('archive.kept', { agent: z.string(), archive: z.string(), why: z.string() }),
  fact('archive.restored', { agent: z.string(), archive: z.string(), to: z.string() }),
  fact('journal.torn', { file: z.string(), sha256: sha256Hex, bytes: count }),
]);

export type JournalEntry = z.infer<typeof journalEntry>;

type Draft<E> = E extends JournalEntry ? Omit<E, 'version' | 'seq' | 'time' | 'prev' | 'hash'> : never;
/** A fact before the writer gives it its place and time. */
export type JournalFact = Draft<JournalEntry>;

export type FactOf<T extends JournalEntry['type']> = Extract<JournalEntry, { readonly type: T }>;
