import { openConfinement } from '../confine/open.ts';
import type { Confinement } from '../confine/types.ts';
import type { OverlaidBase } from './trees/overlay.ts';
import type { ImageTerms } from '../task/image/terms.ts';
import { findBuiltRoot } from './image/build/built-root.ts';
import { needsImage } from './image/prepare-task.ts';
import type { RunEnvironment } from './request.ts';

/**
 * The confinement of a run's environment. `covered`: what it must not show, if that is more than usual. `image`: of a task whose image
 * was built; it is refused where the built files are not on this machine. `overlaid`: where the overlays are that its commands see.
 */
export async function openConfinementFor(
  environment: Pick<RunEnvironment, 'confine' | 'covered' | 'readOnly' | 'tools'>,
  scratch: string,
  covered: readonly string[] = environment.covered,
  image?: ImageTerms,
  overlaid: Pick<OverlaidBase, 'space' | 'owner'> | null = null,
): Promise<Confinement> {
  const built = image?.root;
  const root = built === undefined ? null : findBuiltRoot(environment.tools.cacheDir, built.sha256);
  if (built !== undefined && root === null)
    throw needsImage(
      `its files, built by ${built.builder}, are not on this machine; run the task here once to build them, or copy the cache entry of the machine that did`,
    );
  return openConfinement({
    kind: environment.confine,
    scratch,
    space: overlaid?.space ?? null,
    owner: overlaid?.owner ?? null,
    cacheDir: environment.tools.cacheDir,
    covered,
    image: root === null || built === undefined ? null : { dir: root.dir, path: built.path },
    readOnly: environment.readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
  });
}
