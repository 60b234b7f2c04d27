import * as z from 'zod/mini';
import { seatrialTable, taskSeconds } from '../contract.ts';

const anything = z.optional(z.unknown());
const variables = z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));
const timeLimit = z.optional(taskSeconds);

/**
 * The `task.toml` of the Harbor layout. Keys that Harbor knows are accepted, also where they say nothing to Seatrial: `notedKeys`
 * lists those for the report. Any other key is a fault.
 */
export const harborFileSchema = z.strictObject({
  version: anything,
  schema_version: anything,
  source: anything,
  artifacts: anything,
  multi_step_reward_mode: anything,
  multi_step_reward_strategy: anything,
  steps: anything,
  task: z.optional(z.record(z.string(), z.unknown())),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  agent: z.optional(
    z.strictObject({
      timeout_sec: timeLimit,
      user: anything,
      env: anything,
      network: anything,
      network_mode: anything,
    }),
  ),
  verifier: z.optional(
    z.strictObject({
      timeout_sec: timeLimit,
      env: variables,
      user: anything,
      environment_mode: anything,
      environment: anything,
      collect: anything,
      network: anything,
      network_mode: anything,
    }),
  ),
  solution: z.optional(z.strictObject({ env: variables, user: anything })),
  environment: z.optional(
    z.strictObject({
      build_timeout_sec: timeLimit,
      docker_image: z.optional(z.string()),
      os: anything,
      cpus: anything,
      memory: anything,
      memory_mb: anything,
      storage: anything,
      storage_mb: anything,
      gpus: z.optional(z.number()),
      gpu_types: anything,
      tpu: anything,
      allow_internet: anything,
      network: anything,
      network_mode: anything,
      allowed_hosts: anything,
      mcp_servers: z.optional(z.array(z.unknown())),
      env: variables,
      skills_dir: anything,
      healthcheck: anything,
      workdir: z.optional(z.string()),
      user: anything,
    }),
  ),
  seatrial: seatrialTable,
});
export type HarborFile = z.infer<typeof harborFileSchema>;

/** Keys that Seatrial reads. */
const READ = new Set([
  'version',
  'schema_version',
  'task',
  'metadata',
  'seatrial',
  'agent.timeout_sec',
  'verifier.timeout_sec',
  'verifier.env',
  'solution.env',
  'environment.docker_image',
  'environment.env',
  'environment.workdir',
  'environment.gpus',
  'environment.mcp_servers',
  'environment.build_timeout_sec',
]);

/** Keys of the family that stand in a file and have no effect here. */
export function notedKeys(file: HarborFile): readonly string[] {
  return Object.entries(file)
    .flatMap(([name, value]) =>
      isTable(value) && !READ.has(name) ? Object.keys(value).map((key) => `${name}.${key}`) : [name],
    )
    .filter((key) => !READ.has(key));
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
