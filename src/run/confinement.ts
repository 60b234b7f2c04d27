import { openConfinement } from '../confine/open.ts';
import type { Confinement } from '../confine/types.ts';
import type { RunEnvironment } from './request.ts';

/** The confinement of a run's environment. `covered`: what it must not show, if that is more than usual. */
export function openConfinementFor(
  environment: Pick<RunEnvironment, 'confine' | 'covered' | 'readOnly' | 'tools'>,
  scratch: string,
  covered: readonly string[] = environment.covered,
): Promise<Confinement> {
  return openConfinement({
    kind: environment.confine,
    scratch,
    cacheDir: environment.tools.cacheDir,
    covered,
    readOnly: environment.readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
  });
}
