import type { RunnerDefinition } from '../definition.ts';
import { preparePython } from '../shared/python/invoke.ts';
import { pythonModule } from '../shared/python/module.ts';

export const unittest: RunnerDefinition = {
  name: 'unittest',
  manual: {
    commands: '`python3 -m unittest …`',
    calledAs: 'own driver, own result class',
    ids: '`test_strings.Slugs.test_empty`',
  },
  blackBox: true,
  match({ words }) {
    const call = pythonModule(words, 'unittest');
    return call === null ? null : { runner: 'unittest', ...call };
  },
  prepare: (request, command, apart) =>
    preparePython(request, command, apart, { files: ['unittest/drivers/unittest_driver.py'] }),
  select: (command, ids) => ({ ...command, only: ids }),
  // A dotted name does not tell where the module ends.
  fileOf: () => null,
};
