import { withoutOptions } from '../../command/options.ts';
import type { RunnerDefinition } from '../definition.ts';
import { preparePython } from '../shared/python/invoke.ts';
import { pythonModule } from '../shared/python/module.ts';

const PROGRAM = /^(?:.*\/)?(?:pytest|py\.test)$/;
/** Plugins that would write the expected values themselves. */
const WRITES_SNAPSHOTS = {
  flags: ['--snapshot-update', '--force-regen', '--regen-all'],
  valued: ['--inline-snapshot'],
};

export const pytest: RunnerDefinition = {
  name: 'pytest',
  manual: {
    commands: '`python3 -m pytest …`, `pytest …`',
    calledAs:
      'own driver under `python3 -I -B`; own empty configuration, `--rootdir`, `--confcutdir`, no plugins but built-in ones, `--import-mode=importlib`; workspace last on the path; leaves by `os._exit`',
    ids: '`test_strings.py::test_empty`, from the tests directory; with `--doctest-modules` also `strings.py::strings.slugify`',
  },
  blackBox: true,
  match({ words }) {
    const [program = '', ...rest] = words;
    const call = PROGRAM.test(program) ? { program: 'python3', args: rest } : pythonModule(words, 'pytest');
    return call === null ? null : { runner: 'pytest', ...call };
  },
  prepare(request, command, apart) {
    const args = withoutOptions(command.args, WRITES_SNAPSHOTS);
    const files = ['pytest/drivers/pytest_driver.py', 'pytest/drivers/empty.ini'] as const;
    return preparePython(request, { ...command, args }, apart, { files, module: 'pytest' });
  },
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => id.split('::', 1)[0] ?? null,
};
