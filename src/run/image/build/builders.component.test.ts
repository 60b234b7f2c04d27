import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildImage, findBuilder } from './builders.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'builders-'));
  mkdirSync(join(dir, 'bin'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

/** Answers as the program of this name does, and writes down how it was called. `fails`: the call that fails. */
function layBuilder(name: string, { fails = '-', service = 0 } = {}): void {
  const path = join(dir, 'bin', name);
  writeFileSync(
    path,
    `#!/bin/sh
echo "$*" >> ${dir}/calls
[ "$1" != ${fails} ] || { echo 'Error: no room' >&2; exit 125; }
case "$1 $2" in
'info '*) exit ${service} ;;
'--version '*) echo '${name} version 4.3.1, build x' ;;
'create '*) echo 'a warning'; echo c0ffee ;;
'export --output') echo files > "$3" ;;
'image inspect') echo '[{"Config":{"Env":["A=b"],"WorkingDir":"/app"}}]' ;;
esac
`,
  );
  chmodSync(path, 0o755);
}

const request = () => ({
  tag: 'seatrial-1',
  contextDir: '/context',
  dockerfile: '/files/Dockerfile',
  tar: join(dir, 'root.tar'),
  timeoutMs: 10_000,
});
const calls = (): string[] =>
  existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n') : [];
const find = (name: string) => {
  vi.stubEnv('SEATRIAL_IMAGE_BUILDER', name);
  return findBuilder(join(dir, 'bin'));
};

describe.each(['podman', 'docker'])('%s', (name) => {
  test('builds an image, writes its files from a container that never starts, and keeps neither', async () => {
    layBuilder(name);
    const builder = await find(name);
    if (typeof builder === 'string') throw new Error(builder);
    expect([builder.name, builder.version]).toEqual([name, '4.3.1']);
    expect(await buildImage(builder, request())).toEqual({ env: ['A=b'], workdir: '/app' });
    expect(readFileSync(join(dir, 'root.tar'), 'utf8')).toBe('files\n');
    expect(calls().filter((call) => !/^(?:info|--version)/.test(call))).toEqual([
      'build --tag seatrial-1 --file /files/Dockerfile /context',
      'create seatrial-1 /bin/true',
      `export --output ${dir}/root.tar c0ffee`,
      'image inspect seatrial-1',
      'rm c0ffee',
      'image rm seatrial-1',
    ]);
  });

  test('leaves no container and no image behind when the files cannot be written', async () => {
    layBuilder(name, { fails: 'export' });
    const builder = await find(name);
    if (typeof builder === 'string') throw new Error(builder);
    expect(await buildImage(builder, request())).toBe('Error: no room');
    expect(calls().slice(-2)).toEqual(['rm c0ffee', 'image rm seatrial-1']);
  });
});

describe('why there is no builder', () => {
  test.each([
    ['none', 'SEATRIAL_IMAGE_BUILDER is none'],
    ['kaniko', 'SEATRIAL_IMAGE_BUILDER is "kaniko", and only buildah, podman, docker and none are known'],
    ['docker', 'docker is installed, but its service does not answer'],
  ])('%s: %s', async (wanted, why) => {
    layBuilder('docker', { service: 1 });
    expect(await find(wanted)).toBe(why);
  });

  test('a program that does not start is named', async () => {
    layBuilder('podman', { fails: '--version' });
    expect(await find('podman')).toBe(`${dir}/bin/podman does not start`);
  });
});
