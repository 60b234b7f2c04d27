import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const DRIVERS = fileURLToPath(new URL('drivers', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'seatrial-compiled-'));

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Every module says "source"; its compiled file, which Python takes for an up-to-date one, says "compiled". */
const COMPILE = `
import importlib.util, os, py_compile, sys
for source in sys.argv[1:]:
    with open(source, "w") as file: file.write("said = 'compiled'\\n")
    os.utime(source, (1000, 1000))
    py_compile.compile(source, cfile=importlib.util.cache_from_source(source))
    with open(source, "w") as file: file.write("said = 'source'  \\n")
    os.utime(source, (1000, 1000))
`;

const SAY = `
import sys
drivers, tree, installed = sys.argv[1:]
sys.path.insert(0, drivers)
from compiled_files import distrust_tree
sys.path.remove(drivers)
distrust_tree(tree, [installed, ""])
sys.path += [tree, installed]
import own, package.module, linked.inner, nested.inner
print(own.said, package.module.said, linked.inner.said, nested.inner.said)
`;

it('takes the word of compiled files for installed packages, and that of sources for the tree, by whatever way it is reached', () => {
  const [tree, installed] = [join(root, 'tree'), join(root, 'installed')];
  for (const dir of [join(tree, 'inside'), join(tree, 'nested'), join(installed, 'package')])
    mkdirSync(dir, { recursive: true });
  symlinkSync(join(tree, 'inside'), join(installed, 'linked'));
  const modules = [
    join(tree, 'own.py'),
    join(tree, 'nested/inner.py'),
    join(tree, 'inside/inner.py'),
    join(installed, 'package/module.py'),
  ];
  for (const module of modules) writeFileSync(module, '');
  const python = (script: string, ...args: string[]) =>
    spawnSync('python3', ['-c', script, ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  expect(python(COMPILE, ...modules).stderr).toBe('');
  const { stdout, stderr } = python(SAY, DRIVERS, tree, installed);
  expect(stdout, stderr).toBe('source compiled source source\n');
});
