import * as z from 'zod/mini';

const attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string() }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ boolValue: z.boolean() }),
  ]),
});
export type TraceAttribute = z.infer<typeof attribute>;

const hex = (digits: number) => z.string().check(z.regex(new RegExp(`^[0-9a-f]{${digits}}$`)));
const unixNanos = z.string().check(z.regex(/^\d+$/));

const span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: z.optional(hex(16)),
  name: z.string(),
  /** 1: internal, 3: client. */
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: unixNanos,
  endTimeUnixNano: unixNanos,
  attributes: z.array(attribute),
  /** 1: ok, 2: error. */
  status: z.strictObject({ code: z.union([z.literal(1), z.literal(2)]) }),
});

/** One line of `trace.jsonl`: an OTLP/JSON export of one span, readable by any OpenTelemetry collector. */
export const traceLine = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          spans: z.array(span),
          /** The version of the semantic conventions. Absent in earlier versions, which used no names of them. */
          schemaUrl: z.optional(z.string()),
        }),
      ),
    }),
  ),
});
export type TraceLine = z.infer<typeof traceLine>;
