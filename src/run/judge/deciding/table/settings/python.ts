import { decidingSections } from '../parts/ini-sections.ts';
import { settingsRules } from './rule.ts';

export const PYTHON_SETTINGS = settingsRules('python', [
  { what: 'pytest settings', files: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml'] },
  { what: 'test settings', files: ['tox.ini', 'setup.cfg'], parts: decidingSections },
  // An existing one is a helper like others, and the base's is put back.
  { what: 'conftest.py', files: ['conftest.py'], changed: 'never' },
  { what: 'coverage settings', files: ['.coveragerc', '.coveragerc.toml'] },
  {
    what: 'code that Python runs at every start',
    files: ['sitecustomize.py', 'usercustomize.py', 'sitecustomize/**', 'usercustomize/**', '*.pth', '*.egg-link'],
    planted: 'anywhere',
  },
  {
    what: 'Python settings',
    files: ['pyvenv.cfg', '*._pth', 'pip.conf', 'pip.ini', 'uv.toml', '.pdm.toml', 'poetry.toml'],
  },
  { what: 'choice of a Python version', files: ['.python-version', 'runtime.txt'], planted: 'looked_for' },
  { what: 'nox sessions', files: ['noxfile.py'], planted: 'looked_for' },
  { what: 'nose settings', files: ['.noserc', 'nose.cfg', 'unittest.cfg', 'nose2.cfg', '.behaverc', 'behave.ini'] },
  { what: 'Cython or C extension settings', files: ['*.pxd.ini', 'cython.cfg'], planted: 'looked_for' },
]);
