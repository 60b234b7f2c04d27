import * as z from 'zod/mini';

/** `eligibility.json`: which engines may run this task, which may not, and why. */
export const eligibility = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  selected_backend: z.nullable(z.string()),
  denied_backends: z.array(z.strictObject({ backend: z.string(), reason: z.string() })),
  risk_class: z.enum(['low', 'medium', 'high']),
  required_gates: z.array(z.string()),
  allowed_mutation: z.string(),
  reasons: z.array(z.string()),
  escalation_path: z.string(),
});
export type Eligibility = z.infer<typeof eligibility>;
