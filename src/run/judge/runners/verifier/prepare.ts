import { readScriptChannel } from '../../sandbox/channel.ts';
import { DRIVERS, readOnly, searchPath, writable, WORKSPACE } from '../../sandbox/layout.ts';
import { makeDir } from '../../sandbox/stage.ts';
import type { JudgeRequest } from '../../types.ts';
import type { ImageTerms } from '../../../../task/image/terms.ts';
import { notInstalled, type Prepared, unusableRunner } from '../definition.ts';
import { findTestProgram, type TestProgram } from '../shared/programs.ts';
import { findPython } from '../shared/python/find.ts';
import { stageFamilyPrograms } from './stage-programs.ts';

/**
 * The verifier script of a task of the Harbor family, where its image has things: the workspace at its places, tests at /tests, logs at
 * /logs. pytest reports its tests on the channel; whatever else the script does is known by its reward or its exit code.
 */
export async function prepareVerifier(request: JudgeRequest, image: ImageTerms): Promise<Prepared> {
  if (request.confinement.kind === 'none')
    return unusableRunner('a task with an image needs the sandbox: its paths exist only there');
  if (request.sealedTests === null) return unusableRunner('the task has no tests');
  const found = image.root === undefined ? await programsOfMachine(request, image) : OF_THE_IMAGE;
  if ('missing' in found) return notInstalled(found.missing);
  const { programs } = found;
  const drivers = makeDir(request.scratch, 'judge');
  stageFamilyPrograms(drivers, DRIVERS, image.root === undefined ? found.python : image.root.python3, image);
  const logs = makeDir(request.scratch, 'logs');
  for (const dir of [request.workspace, logs]) request.confinement.give(dir);
  const mounts = [
    writable(request.workspace, WORKSPACE),
    ...placeMounts(image, request.workspace),
    readOnly(request.sealedTests, '/tests'),
    writable(makeOwn(request, logs, 'verifier'), '/logs/verifier'),
    writable(makeOwn(request, logs, 'agent'), '/logs/agent'),
    readOnly(drivers, DRIVERS),
    ...programs.flatMap((program) => program.mounts),
  ];
  return {
    ready: true,
    invocation: {
      tests: {
        argv: [`${DRIVERS}/verify`, `/tests/${image.verifier.script}`],
        env: { ...image.verifier.env, ...searchPath([DRIVERS, ...programs.flatMap((program) => program.dirs)]) },
        mounts,
        channels: 1,
        cwd: image.workdir,
      },
      subject: { kind: 'shared' },
      plan: null,
    },
    toolchain: programs.map(({ tool }) => tool),
    note:
      image.root === undefined
        ? `this machine stands in for ${image.from}`
        : `in the image that ${image.root.builder} built`,
    readResults: ({ end, reports }) => readScriptChannel(reports, end.kind === 'exited' ? end.exitCode : null),
  };
}

interface FoundPrograms {
  readonly programs: readonly TestProgram[];
  /** As seen inside. */
  readonly python: string | null;
}

/** A built image brings its own. */
const OF_THE_IMAGE: FoundPrograms = { programs: [], python: null };

async function programsOfMachine(
  request: JudgeRequest,
  image: ImageTerms,
): Promise<FoundPrograms | { readonly missing: string }> {
  const python = await findPython(request, 'python3', 'pytest');
  if (!python.found) return { missing: python.missing };
  const programs: TestProgram[] = [python.program];
  for (const name of image.programs) {
    const found = name === 'python3' ? null : await findTestProgram(request, name);
    if (found === null && name !== 'python3') return { missing: name };
    if (found !== null) programs.push(found);
  }
  return { programs, python: python.program.path };
}

function makeOwn({ confinement }: JudgeRequest, parent: string, name: string): string {
  const dir = makeDir(parent, name);
  confinement.give(dir);
  return dir;
}

/** The directories of a workspace where the image has them. */
export function placeMounts({ places }: ImageTerms, workspace: string): ReturnType<typeof writable>[] {
  return places
    .filter(({ dir, at }) => dir !== '' || at !== WORKSPACE)
    .map(({ dir, at }) => writable(dir === '' ? workspace : `${workspace}/${dir}`, at));
}
