import * as z from 'zod/mini';
import type { BaseFiles } from '../base-files.ts';

const packageFile = z.object({
  name: z.optional(z.string()),
  scripts: z.optional(z.record(z.string(), z.string())),
  workspaces: z.optional(z.union([z.array(z.string()), z.object({ packages: z.optional(z.array(z.string())) })])),
});

export type PackageFile = z.infer<typeof packageFile>;

/** What a directory's package.json says; empty where there is none, or none that can be read. */
export function readPackage(files: BaseFiles, dir: string): PackageFile {
  try {
    return packageFile.parse(JSON.parse(files.command(dir === '' ? 'package.json' : `${dir}/package.json`) ?? '{}'));
  } catch {
    return {};
  }
}
