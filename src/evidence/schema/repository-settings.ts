import * as z from 'zod/mini';
import { count, sha256Hex } from './parts.ts';

/**
 * Settings in the repository that an engine would obey. `shown`: admitted in seatrial.toml by this digest. All others were shown empty:
 * `not_admitted`, `changed` since they were admitted, or `linked`, which contains a symbolic link.
 */
const obeyedSetting = z.strictObject({
  path: z.string(),
  sha256: sha256Hex,
  files: count,
  state: z.enum(['shown', 'not_admitted', 'changed', 'linked']),
});
export type ObeyedSetting = z.infer<typeof obeyedSetting>;

export const repositorySettings = z.strictObject({
  settings: z.array(obeyedSetting),
  /** MCP servers that the repository configures and the engine could not reach. */
  unreachable_mcp_servers: z.array(z.strictObject({ name: z.string(), configured_in: z.string() })),
});
export type RepositorySettings = z.infer<typeof repositorySettings>;
