import { expect, it } from 'vitest';
import { outsideModules } from './outside-modules.ts';

it('names modules by the files they were loaded from', () => {
  expect(
    outsideModules([
      '/usr/lib/python3.11/__pycache__/subprocess.cpython-311.pyc',
      '/usr/lib/python3.11/json/decoder.py',
      '/usr/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so',
      '/opt/venv/lib/python3.12/site-packages/_pytest/main.py',
      '/usr/lib/node_modules/@scope/pkg/index.js',
      '/etc/hosts',
    ]),
  ).toEqual(['@scope/pkg', '_pytest', '_ssl', 'json', 'subprocess']);
});
