import type { TestCommand } from '../command/read.ts';
import {
  type SandboxCommand,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  WORKSPACE,
} from '../sandbox/layout.ts';
import type { TestProgram } from './programs.ts';
import { readPythonModules } from '../python-modules.ts';
import { stageDrivers, subjectMounts, testsMounts } from '../sandbox/stage.ts';
import type { JudgeRequest } from '../types.ts';

const DRIVER = { pytest: 'pytest_driver.py', unittest: 'unittest_driver.py' } as const;
const own = (file: string): string => `python/${file}`;

/** `tests`: the folder of asserts, when they are to be kept apart from the code. */
export function invokePython(
  request: JudgeRequest,
  command: TestCommand & { readonly runner: keyof typeof DRIVER },
  program: TestProgram,
  tests: string | null,
): Invocation {
  const driver = DRIVER[command.runner];
  const apart = tests !== null;
  const sealed = apart || request.sealedTests !== null;
  const apartFiles = apart ? ['black_box.py', 'plain_values.py'] : [];
  const files = [driver, 'channel.py', 'sealed_names.py', 'empty.ini', ...apartFiles];
  const drivers = stageDrivers(request.scratch, 'judge', files.map(own));
  const mounts = [...testsMounts(request, tests), readOnly(drivers, DRIVERS), ...program.mounts];
  const at = (path: string): string => request.confinement.pathInside(path, mounts);
  return {
    tests: {
      argv: python(program, at(`${DRIVERS}/${driver}`)),
      // A tree that brings its own tests brings their plugins and settings too.
      env: { ...searchPath(program.folders), ...(sealed ? { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } : {}) },
      mounts,
      channels: apart ? 2 : 1,
    },
    subject: apart ? { kind: 'worker', cell: worker(request, program) } : { kind: 'shared' },
    plan: {
      workspace: at(WORKSPACE),
      tests: at(TESTS),
      sealed,
      black_box: apart,
      args: command.args,
      ...readPythonModules(request),
    },
  };
}

function worker(request: JudgeRequest, program: TestProgram): SandboxCommand {
  const drivers = stageDrivers(request.scratch, 'worker', ['worker.py', 'plain_values.py'].map(own));
  const mounts = [...subjectMounts(request), readOnly(drivers, DRIVERS), ...program.mounts];
  const driver = request.confinement.pathInside(`${DRIVERS}/worker.py`, mounts);
  return { argv: python(program, driver), env: searchPath(program.folders), mounts, channels: 1 };
}

/** `-I` keeps environment, user folders and the current folder out of the interpreter, `-B` keeps it from writing. */
function python(program: TestProgram, driver: string): readonly string[] {
  return [program.path, '-I', '-B', driver];
}
