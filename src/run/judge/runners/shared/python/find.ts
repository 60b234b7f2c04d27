import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from '../../../../../confine/types.ts';
import { WORKSPACE } from '../../../sandbox/layout.ts';
import { findTestProgram, type TestProgram } from '../programs.ts';
import type { JudgeRequest } from '../../../types.ts';
import { pathInside } from '../../../../../confine/path-inside.ts';

/** The interpreter that tests run in, or what is missing. */
export type FoundPython =
  | { readonly found: true; readonly program: TestProgram }
  | { readonly found: false; readonly missing: string };

/**
 * That of the virtual environment which was set up for the tree, if there is one: it alone has the packages. One that merely lies in the tree
 * is never taken, since a patch could have brought it.
 */
export async function findPython(request: JudgeRequest, word: string, needsModule?: string): Promise<FoundPython> {
  const environment = request.readOnly?.find(isVirtualEnvironment);
  const program = await findTestProgram(request, word, environment === undefined ? needsModule : undefined);
  const wanted = needsModule === undefined ? '' : ` with ${needsModule}`;
  if (program === null) return { found: false, missing: `${word}${wanted}` };
  if (environment === undefined) return { found: true, program };
  if (needsModule !== undefined && !hasModule(environment.source, needsModule)) {
    const name = environment.target.slice(WORKSPACE.length + 1);
    return { found: false, missing: `${needsModule} in ${name}, where the setup has to put it` };
  }
  const path = pathInside(request.confinement, `${environment.target}/bin/python3`, [environment]);
  return { found: true, program: { ...program, path } };
}

function isVirtualEnvironment({ source, target }: Mount): boolean {
  return target.startsWith(`${WORKSPACE}/`) && existsSync(join(source, 'pyvenv.cfg'));
}

function hasModule(environment: string, name: string): boolean {
  const lib = join(environment, 'lib');
  if (!existsSync(lib)) return false;
  return readdirSync(lib).some((version) => {
    const packages = join(lib, version, 'site-packages');
    return existsSync(join(packages, name)) || existsSync(join(packages, `${name}.py`));
  });
}
