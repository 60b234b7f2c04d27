import type { RunnerDefinition } from '../definition.ts';
import { preparePython } from '../shared/python/invoke.ts';
import { pythonModule } from '../shared/python/module.ts';
import { partsOf } from '../shared/test-names.ts';

export const doctest: RunnerDefinition = {
  name: 'doctest',
  manual: {
    commands: '`python3 -m doctest file.py README.txt`',
    calledAs: 'own driver under `python3 -I -B`; leaves by `os._exit`',
    ids: '`strings.py::strings.slugify`, one for each docstring with examples; `README.txt::README.txt`',
  },
  blackBox: false,
  match({ words }) {
    const call = pythonModule(words, 'doctest');
    return call === null ? null : { runner: 'doctest', ...call };
  },
  prepare: (request, command) =>
    preparePython(request, command, null, { files: ['doctest/drivers/doctest_driver.py'] }),
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};
