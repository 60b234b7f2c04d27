import { basename } from 'node:path';
import {
  type SandboxCommand,
  dirInside,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  WORKSPACE,
} from '../../../sandbox/layout.ts';
import { readPythonModules } from '../../../patch/python-modules.ts';
import { stageDrivers, subjectMounts, testsMounts } from '../../../sandbox/stage.ts';
import type { JudgeRequest } from '../../../types.ts';
import type { Prepared, RunnerCommand } from '../../definition.ts';
import { notInstalled } from '../../definition.ts';
import { isTriedApart, machineByHand, placeByHand, workerByHand } from '../../../sandbox/login-session.ts';
import type { TestProgram } from '../programs.ts';
import { findPython } from './find.ts';
import { pathInside } from '../../../../../confine/path-inside.ts';

interface PythonDriver {
  /** From `runners/`; the first is started. */
  readonly files: readonly [string, ...string[]];
  /** Has to be installed for the interpreter. */
  readonly module?: string;
}

const shared = (file: string): string => `shared/python/drivers/${file}`;
/** All in one directory: each further one takes longer to make than a file. */
const inOneDir = (files: readonly string[]): readonly (readonly [string, string])[] =>
  files.map((file) => [file, basename(file)]);

/** `apart`: the directory of asserts, when they are to be kept apart from the code. */
export async function preparePython(
  request: JudgeRequest,
  command: RunnerCommand,
  apart: string | null,
  driver: PythonDriver,
): Promise<Prepared> {
  const python = await findPython(request, command.program, driver.module);
  if (!python.found) return notInstalled(python.missing);
  const { program } = python;
  return { ready: true, invocation: invoke(request, command, apart, driver, program), toolchain: [program.tool] };
}

function invoke(
  request: JudgeRequest,
  command: RunnerCommand,
  tests: string | null,
  driver: PythonDriver,
  program: TestProgram,
): Invocation {
  const apart = tests !== null;
  const sealed = apart || request.sealedTests !== null;
  const boxed = apart ? ['black_box.py', 'plain_values.py'] : [];
  const files = [
    ...driver.files,
    ...['channel.py', 'compiled_files.py', 'sealed_names.py', 'tree_first.py', ...boxed].map(shared),
  ];
  const drivers = stageDrivers(request.scratch, 'judge', inOneDir(files));
  const mounts = [...testsMounts(request, tests), readOnly(drivers, DRIVERS), ...program.mounts];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const { env = {}, dir = '' } = command;
  const pythonPath = (env['PYTHONPATH'] ?? '').split(':').filter((entry) => entry !== '');
  return {
    tests: {
      argv: pythonCall(program, at(`${DRIVERS}/${basename(driver.files[0])}`), env['PYTHONWARNINGS']),
      env: {
        ...env,
        // A tree that brings its own tests brings their plugins and settings too.
        ...(sealed ? { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } : {}),
        ...searchPath(program.dirs),
      },
      mounts,
      channels: apart ? 2 : 1,
    },
    subject: apart ? { kind: 'worker', cell: worker(request, program) } : { kind: 'shared' },
    plan: {
      workspace: at(WORKSPACE),
      tests: at(TESTS),
      dir: at(dirInside(dir)),
      sealed,
      black_box: apart,
      lenient: request.apartFiles !== undefined,
      args: command.args,
      // The interpreter itself ignores the variable; the driver puts these after the standard library.
      python_path: pythonPath,
      only: command.only ?? null,
      ...readPythonModules(request, dir, pythonPath),
    },
  };
}

function worker(request: JudgeRequest, program: TestProgram): SandboxCommand {
  const drivers = stageDrivers(
    request.scratch,
    'worker',
    inOneDir(['worker.py', 'compiled_files.py', 'plain_values.py'].map(shared)),
  );
  const { machine, mounts: ofMachine } = machineByHand(request);
  const mounts = [...subjectMounts(request), readOnly(drivers, DRIVERS), ...program.mounts, ...ofMachine];
  const driver = pathInside(request.confinement, `${DRIVERS}/worker.py`, mounts);
  const place = placeByHand(request);
  const argv = isTriedApart(request) ? workerByHand([program.path, driver], place) : pythonCall(program, driver);
  return {
    argv,
    env: searchPath(program.dirs),
    mounts,
    channels: 1,
    ...(machine && { machine }),
    ...(place && { place }),
  };
}

/** `-I` keeps environment, user directories and the current directory out of the interpreter, `-B` keeps it from writing. */
function pythonCall(program: TestProgram, driver: string, warnings = ''): readonly string[] {
  const filters = warnings.split(',').filter((filter) => filter !== '');
  return [program.path, '-I', '-B', ...filters.map((filter) => `-W${filter}`), driver];
}
