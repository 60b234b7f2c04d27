import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../src/evidence/schema/report.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const { version }: { version: string } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const temp = mkdtempSync(join(tmpdir(), 'seatrial-package-'));
let archive: string;

beforeAll(() => {
  call('npm', ['pack', '--pack-destination', temp], PROJECT);
  archive = join(temp, readdirSync(temp).find((name) => name.endsWith('.tgz')) ?? 'none.tgz');
});
afterAll(() => rmSync(temp, { recursive: true, force: true }));

/** No home, no settings, no registry of the person who runs the tests. */
function call(program: string, args: readonly string[], cwd: string): string {
  const ended = spawnSync(program, args, {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: temp, npm_config_offline: 'true' },
    encoding: 'utf8',
  });
  expect(ended.status, `${program} ${args.join(' ')}\n${ended.stdout}${ended.stderr}`).toBe(0);
  return ended.stdout;
}

describe('the npm package', () => {
  it('holds what a user needs and nothing else', () => {
    const files = call('tar', ['-tzf', archive], temp).trim().split('\n').toSorted();
    const needed = ['package.json', 'dist/seatrial.js', 'dist/LICENSES.txt', 'tasks/r1-string-slugify/task.toml'];
    expect(files).toEqual(expect.arrayContaining(needed.map((file) => `package/${file}`)));
    const known =
      /^package\/(package\.json|LICENSE|README\.md|CHANGELOG\.md|(dist|tasks|schemas|docs|examples|src\/run\/judge\/runners\/.*\/drivers|src\/run\/selftest\/suites)\/.*)$/;
    expect(files.filter((file) => !known.test(file) || /^package\/src\/.*\.test\.|__pycache__/.test(file))).toEqual([]);
  });

  it.each([
    ['src/run/judge/runners', /\/drivers\//],
    ['tasks', /./],
  ])('holds every file of %s that %s matches', (dir, wanted) => {
    const packed = new Set(call('tar', ['-tzf', archive], temp).trim().split('\n'));
    const files = readdirSync(join(PROJECT, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
      .map((entry) => `package/${join(entry.parentPath, entry.name).slice(PROJECT.length)}`)
      .filter((file) => wanted.test(file) && !/^package\/src\/.*\.test\./.test(file));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !packed.has(file))).toEqual([]);
  });

  it('works when installed globally, without network', () => {
    const prefix = join(temp, 'global');
    call('npm', ['install', '--global', '--prefix', prefix, '--ignore-scripts', archive], temp);
    expect(call(join(prefix, 'bin/seatrial'), ['--version'], '/').trim()).toBe(version);
    const elsewhere = join(temp, 'elsewhere');
    mkdirSync(elsewhere);
    const report: Report = JSON.parse(
      call(join(prefix, 'bin/seatrial'), ['run', 'r1-string-slugify', '--json'], elsewhere),
    );
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    call(join(prefix, 'bin/seatrial'), ['verify', report.run_dir, '--rerun'], elsewhere);
  });

  it('works when installed into a project, and brings no other package', () => {
    const project = join(temp, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"name":"user","private":true}');
    call('npm', ['install', '--ignore-scripts', archive], project);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['seatrial']);
    expect(call(join(project, 'node_modules/.bin/seatrial'), ['--version'], project).trim()).toBe(version);
  });
});
