import * as z from 'zod/mini';
import { targetConclusion } from './no-target.ts';
import { repositorySettings } from './repository-settings.ts';
import { completion, count, isoTime, isolation, schemaFault, sha256Hex, status } from './parts.ts';
import {
  admission,
  baseline,
  confinement,
  deciding,
  executable,
  mustFailReport,
  requestedModel,
  review,
  shownTests,
  testRecord,
  tool,
  totalUsage,
} from './report.ts';

/**
 * All events of a run, as one union. The writer (`EventLog`) alone sets order, time and hashes; callers supply type,
 * source and data. `engine.*` events are an engine's own claims, never proof.
 */
const data = {
  'run.started': z.object({
    run_id: z.string(),
    nonce: z.string(),
    engine: z.string(),
    started_at: isoTime,
  }),
  'task.contract.created': z.object({ task: z.string(), sha256: sha256Hex }),
  'gate.checked': z.object({
    gate: z.string(),
    passed: z.boolean(),
    reason: z.nullable(z.string()),
    detail: z.string(),
    /** The code of the reason, and how to resolve the refusal; absent if the check passed. */
    code: z.optional(z.string()),
    next: z.optional(z.string()),
  }),
  /** Who is to do the work, and whether that is admitted. */
  'candidate.described': z.object({
    stage: z.nullable(z.int()),
    source_admission_status: admission,
    executable: z.nullable(executable),
    model: z.nullable(requestedModel),
    /** What the caller named, also if it is only one of the two. Absent in earlier versions. */
    model_named: z.optional(z.object({ provider: z.nullable(z.string()), name: z.nullable(z.string()) })),
  }),
  /** The sandbox as known so far; a later event replaces an earlier one. */
  'sandbox.described': z.object({ workspace_root: z.string(), confinement }),
  'repository_settings.checked': z.object(repositorySettings.shape),
  /** Whether the engine could reach a target path; `stage2-no-target-inspection.json` has how that was found. */
  'targets.inspected': z.object({ conclusion: targetConclusion, targets: count, planted: count }),
  /** Whether protected paths are as they were, or could not be written to. Null: not shown, since nothing confined the engine. */
  'protected_roots.checked': z.object({ passed: z.nullable(z.boolean()), roots: z.optional(z.array(z.string())) }),
  /** A reason against a pass. */
  'blocker.raised': z.object({
    step: z.string(),
    code: z.string(),
    reason: z.string(),
    kind: z.enum(['fail', 'blocked', 'lost']),
    cause: z.optional(z.enum(['interruption', 'provider', 'protocol', 'regression'])),
  }),
  'marker.written': z.object({ path: z.string() }),
  'provision.completed': z.object({
    lockfile: z.nullable(z.string()),
    setup_command: z.string(),
    key: sha256Hex,
    products_sha256: sha256Hex,
    cached: z.boolean(),
    duration_ms: count,
  }),
  'plan.updated': z.object({ steps: z.array(z.string()) }),
  'backend.started': z.object({ argv: z.array(z.string()) }),
  'backend.exited': z.object({ exit_code: z.nullable(z.int()), completion }),
  'backend.timeout': z.object({ after_ms: count, marker: z.string() }),
  'backend.completed_by_harness': z.object({ commit: z.string() }),
  'provider.unavailable': z.object({ detail: z.string() }),
  'model.request': z.object({
    provider: z.string(),
    model: z.string(),
    http_status: z.int(),
    /** The model that answered, as the provider names it. */
    answered_by: z.optional(z.string()),
    /** As the gateway measured it. Absent in earlier versions, and where the answer does not say. */
    started_at: z.optional(isoTime),
    duration_ms: z.optional(count),
    input_tokens: z.optional(count),
    output_tokens: z.optional(count),
    cost_usd: z.optional(z.number()),
  }),
  /** All requests of the run, counted when the gateway was closed. */
  'usage.counted': z.object(totalUsage.shape),
  'model.refused': z.object({ provider: z.string(), model: z.string(), reason: z.string() }),
  'patch.applied': z.object({ files: z.array(z.string()) }),
  'git.diff.checked': z.object({
    changed_files: z.array(z.string()),
    disallowed_writes: z.array(z.string()),
    ignored_files: z.array(z.string()),
    patch_sha256: sha256Hex,
    patch_bytes: z.optional(count),
    faults: z.array(z.string()),
    /** What could not be read from the tree, or not be stored; absent if nothing. */
    not_kept: z.optional(z.array(z.string())),
  }),
  'review.completed': z.object(review.shape),
  'approval.requested': z.object({
    id: z.string(),
    action: z.string(),
    /** Present for a question that stays open when the run ends. */
    how: z.optional(z.string()),
    /** When it counts as denied. Absent: the policy answered it at once, or an earlier version left it open. */
    answer_by: z.optional(isoTime),
  }),
  'approval.granted': z.object({ id: z.string(), action: z.string(), by: z.string(), how: z.string() }),
  'approval.denied': z.object({ id: z.string(), action: z.string(), by: z.string(), how: z.string() }),
  'verification.completed': z.object({
    command: z.nullable(z.string()),
    passed: z.boolean(),
    exit_code: z.nullable(z.int()),
    isolation,
    tests: z.array(testRecord),
    faults: z.array(z.string()),
    duration_ms: z.optional(z.nullable(count)),
    note: z.optional(z.nullable(z.string())),
    toolchain: z.optional(z.array(tool)),
    must_fail: z.optional(mustFailReport),
  }),
  /** The tests of a repository ran before the change; `base-record.json` has all of it. */
  'base.recorded': z.object({
    sha256: sha256Hex,
    cached: z.boolean(),
    tests: count,
    failing: count,
    found_by: z.enum(['strace', 'access_times', 'names']),
  }),
  /** What the tests of the base said about the change, and which of its files had no vote. */
  'change.judged': z.object({
    proof: z.nullable(z.enum(['fixed', 'kept'])),
    fixed: z.array(z.string()),
    flaky: z.array(z.string()),
    no_vote: z.array(z.string()),
    refused: z.array(z.string()),
    allowed: z.array(z.string()),
    deciding: z.optional(deciding),
    shown: z.optional(shownTests),
    /** Tests of allowed files that the change removed. */
    removed: z.optional(z.array(z.string())),
  }),
  'baseline.completed': z.object({
    run_id: z.string(),
    status,
    reason: z.nullable(z.string()),
    /** Test results before the change, if the control shows them. */
    tests: z.optional(z.array(testRecord)),
    kind: z.optional(baseline.shape.kind),
    paths: z.optional(baseline.shape.paths),
    comparison: z.optional(baseline.shape.comparison),
  }),
  'secrets.masked': z.object({ found: z.array(z.object({ name: z.string(), count })) }),
  'run.completed': z.object({ status, failure_reason: z.nullable(z.string()), missing_events: z.array(z.string()) }),
  'engine.message': z.object({ text: z.string() }),
  /** The id by which the engine's program can resume its conversation. */
  'engine.session': z.object({ id: z.string() }),
  'engine.tool': z.object({ name: z.string(), detail: z.string(), id: z.optional(z.string()) }),
  'engine.tool_result': z.object({ id: z.string(), ok: z.boolean(), detail: z.string() }),
  'engine.edit': z.object({ path: z.string() }),
  'engine.usage': z.object({ input_tokens: count, output_tokens: count }),
  'engine.claim': z.object({ commit: z.nullable(z.string()), text: z.string() }),
} as const;

type DataSchemas = typeof data;
export type EventType = keyof DataSchemas;
export type EventData<T extends EventType> = z.infer<DataSchemas[T]>;

const isEventType = (name: string): name is EventType => name in data;
export const EVENT_TYPES: readonly EventType[] = Object.keys(data).filter(isEventType);

export const eventSource = z.enum(['harness', 'engine']);
export type EventSource = z.infer<typeof eventSource>;

const frame = {
  seq: count,
  time: isoTime,
  mono_ms: z.number(),
  source: eventSource,
  prev: sha256Hex,
  hash: sha256Hex,
};

/** One schema per type, so that the union's JSON Schema describes the data of each event. */
const schemaOfType = new Map(
  Object.entries(data).map(([type, body]) => [
    type,
    z.strictObject({ ...frame, type: z.literal(type), data: z.strictObject(body.shape) }),
  ]),
);

export const runEvent = z.union([...schemaOfType.values()]);

export type RunEvent = {
  [T in EventType]: {
    readonly seq: number;
    readonly time: string;
    readonly mono_ms: number;
    readonly source: EventSource;
    readonly prev: string;
    readonly hash: string;
    readonly type: T;
    readonly data: EventData<T>;
  };
}[EventType];

/** Every passing run has these events, in this order; a task may require more. */
export const DEFAULT_REQUIRED_EVENTS = [
  'run.started',
  'task.contract.created',
  'plan.updated',
  'patch.applied',
  'git.diff.checked',
  'verification.completed',
  'run.completed',
] as const satisfies readonly EventType[];

/** Narrows a parsed line to an event, or throws an error that says what is wrong with it. */
export function decodeEvent(value: unknown): RunEvent {
  if (isRunEvent(value)) return value;
  throw new TypeError(eventFault(value) ?? 'not an event');
}

const isRunEvent = (value: unknown): value is RunEvent => eventFault(value) === null;

function eventFault(value: unknown): string | null {
  const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : 'none';
  const parsed = schemaOfType.get(type)?.safeParse(value);
  if (parsed === undefined) return `unknown event type ${type}`;
  return parsed.success ? null : `${type}: ${schemaFault(parsed.error)}`;
}
