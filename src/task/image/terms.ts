import * as z from 'zod/mini';

const variables = z.record(z.string(), z.string());

/** Of a task whose environment is described by a Dockerfile: what this machine stands in for, and how its verifier is read. */
export const imageTerms = z.strictObject({
  layout: z.enum(['harbor', 'terminal-bench']),
  /** The base image. */
  from: z.string(),
  /** Where engine, oracle and verifier start, as seen inside. */
  workdir: z.string(),
  /** Directories of the workspace and where each is seen inside; `dir` is empty for the workspace as a whole. */
  places: z.array(z.strictObject({ dir: z.string(), at: z.string() })),
  verifier: z.strictObject({
    /** From the directory of sealed tests. */
    script: z.string(),
    /** What decides beside the reported tests: the reward file that the script writes, or its exit code. */
    reads: z.enum(['reward', 'exit_code']),
    env: variables,
  }),
  solution_env: variables,
  /** Programs of this machine that stand in for those of the image. */
  programs: z.array(z.string()),
  /** Packages that the Dockerfile installs, and what stands in for each. */
  packages: z.array(z.string()),
  /** Debian packages and Python distributions that installers inside are told are there. */
  installed: z.strictObject({ debian: z.array(z.string()), python: z.array(z.string()) }),
  /** The image was built, and its files are the system inside. Absent: this machine stands in for it. */
  root: z.optional(
    z.strictObject({
      /** Of all its files. */
      sha256: z.string(),
      /** Name and version of the builder. */
      builder: z.string(),
      /** Its PATH. */
      path: z.string(),
      /** As seen inside; null: it has none. */
      python3: z.nullable(z.string()),
    }),
  ),
  /** What differs from the image, and keys of the task that have no effect here. */
  notes: z.array(z.string()),
});
export type ImageTerms = z.infer<typeof imageTerms>;
