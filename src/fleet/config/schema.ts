import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1, 'must not be empty'));

/** One project of a fleet. */
export const fleetProject = z.strictObject({
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]+$/, 'may only contain letters, digits, - and _')),
  /** Its directory, relative to fleet.toml. Without it, the clone of `repo` in `projects/<name>`. */
  path: z.optional(text),
  repo: z.optional(text),
  enabled: z.optional(z.boolean()),
  /** Commit or tag of Seatrial that its `engine/` must be at. */
  pin: z.optional(text),
});

/** The format of `fleet.toml`. */
export const fleetFile = z.strictObject({ projects: z.optional(z.array(fleetProject)) });
