import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RunRequest } from '../../run/request.ts';
import type { Settings } from './settings.ts';

type Source = Pick<RunRequest, 'terms' | 'inputs'>;

interface AdmittedSettings {
  /** Digests by path. */
  readonly digests: Readonly<Record<string, string>>;
  readonly note: string | null;
}

/** The settings of the repository that the user lets the engine see. A seatrial.toml that is part of the repository admits none: it would admit its own. */
export function admittedSettings(
  { file, repoSettings }: Settings,
  engine: string,
  { terms, inputs }: Source,
): AdmittedSettings {
  const digests = repoSettings[engine] ?? {};
  if (Object.keys(digests).length === 0 || file === null || terms.repository === null) return { digests, note: null };
  const path = relative(terms.repository.path, file);
  const isPart =
    !path.startsWith('..') && lstatSync(join(inputs.filesDir, path), { throwIfNoEntry: false }) !== undefined;
  if (!isPart) return { digests, note: null };
  return {
    digests: {},
    note: `${path} is part of the repository, so its repo_settings do not count; set them in a seatrial.toml that is not committed`,
  };
}
