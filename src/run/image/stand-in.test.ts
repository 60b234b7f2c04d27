import { describe, expect, test } from 'vitest';
import type { ImageTask } from '../../task/image/image-task.ts';
import { parseDockerfile } from '../../task/image/dockerfile.ts';
import { standInFor } from './base-images.ts';
import { installedFor, type Machine, missingStandIn, standInsOn } from './machine.ts';
import { inWorkspace, placesFor } from './places.ts';
import { readStandIn } from './stand-in.ts';

const read = (dockerfile: string, more: Partial<ImageTask> = {}) =>
  readStandIn({
    dockerfile: parseDockerfile(dockerfile),
    needs: [],
    needsMore: [],
    env: {},
    workdir: null,
    ...more,
  } as ImageTask);

describe('a Dockerfile becomes a list of what this machine must have', () => {
  test('base image, work directory, copies, variables and packages', () => {
    const found = read(
      'ARG V=3.13\nFROM python:${V}-slim\nENV MODE=test PATH=/x:$PATH\nWORKDIR /app\nWORKDIR src\nCOPY a.py b.py ./\nCOPY data /data\nRUN pip install pytest\n',
    );
    expect(found).toMatchObject({
      from: 'python:3.13-slim',
      workdir: '/app/src',
      env: { MODE: 'test' },
      copies: [
        { from: ['a.py', 'b.py'], to: '/app/src/' },
        { from: ['data'], to: '/data' },
      ],
      needs: { programs: ['python3'], python: ['pytest'] },
    });
  });

  test.each([
    ['FROM alpine:3\nWORKDIR /app', 'alpine:3 is not a Debian or Ubuntu system'],
    ['FROM python:3-alpine\nWORKDIR /app', 'not a Debian or Ubuntu system'],
    ['FROM nginx\nWORKDIR /app', 'nothing here stands in for its base image nginx'],
    ['FROM debian AS one\nFROM debian\nWORKDIR /app', 'several stages'],
    ['FROM debian\nWORKDIR /app\nCOPY --from=x /a /b', 'COPY --from=x'],
    ['FROM debian\nWORKDIR /app\nADD https://example.com/x.tar /app/', 'ADD https://example.com'],
    ['FROM debian\nWORKDIR /app\nRUN make', 'RUN make'],
    ['FROM debian', 'sets no WORKDIR'],
    ['', 'has no FROM'],
  ])('%j needs an image', (dockerfile, why) => {
    expect(read(dockerfile)).toEqual({ why: expect.stringContaining(why) });
  });

  test('what the task itself says it needs comes first', () => {
    expect(read('FROM debian\nWORKDIR /app', { needs: ['it asks for 1 GPUs'] })).toEqual({ why: 'it asks for 1 GPUs' });
  });
});

test.each([
  'ubuntu:24.04',
  'docker.io/library/python:3.12',
  'ghcr.io/laude-institute/t-bench/python-3-13:20250620',
  'golang@sha256:ab',
])('there is a stand-in for %s', (image) => {
  expect(standInFor(image)).toHaveProperty('programs');
});

describe('places', () => {
  test('one directory is the workspace itself; several become directories of it', () => {
    expect(placesFor(['/app', '/app/data', '/tests', '/logs/x', '/tmp/y'])).toEqual([{ dir: '', at: '/app' }]);
    expect(placesFor(['/app', '/data/in'])).toEqual([
      { dir: 'app', at: '/app' },
      { dir: 'data/in', at: '/data/in' },
    ]);
  });

  test.each(['/etc/nginx', '/usr/local/bin', '/', '/var/www'])('%s belongs to the system', (dir) => {
    expect(placesFor(['/app', dir])).toHaveProperty('why');
  });

  test('a path is found where its place lies', () => {
    const places = placesFor(['/app', '/data']);
    if ('why' in places) throw new Error(places.why);
    expect(inWorkspace('/data/x/y.csv', places)).toBe('data/x/y.csv');
    expect(inWorkspace('/database', places)).toBeNull();
  });
});

describe('packages', () => {
  const machine: Machine = {
    debian: new Set(['git', 'libssl-dev']),
    python: new Set(['numpy']),
    python3: '/usr/bin/python3',
    hasProgram: (name) => ['python3', 'gcc', 'g++', 'make', 'curl'].includes(name),
  };

  test('each is named with what stands in for it', () => {
    const needs = {
      debian: ['tmux', 'git', 'build-essential', 'curl'],
      python: ['pytest==8.4.1', 'NumPy>=1'],
      programs: ['gcc'],
    };
    expect(standInsOn(machine, needs)).toEqual({
      packages: [
        'tmux: not needed here',
        'git: installed here',
        'build-essential: gcc, g++, make of this machine',
        'curl: curl of this machine',
        'pytest==8.4.1: the judge brings it',
        'NumPy>=1: installed here',
      ],
      programs: ['gcc', 'g++', 'make'],
    });
  });

  test.each([
    [{ debian: ['libboost-all-dev'], python: [], programs: [] }, 'it installs libboost-all-dev'],
    [{ debian: [], python: ['pandas'], programs: [] }, 'it installs pandas'],
    [{ debian: ['golang-go'], python: [], programs: [] }, 'it installs golang-go'],
    [{ debian: [], python: [], programs: ['node'] }, 'this machine has no node'],
  ])('%j cannot be had here', (needs, why) => {
    expect(standInsOn(machine, needs)).toEqual({ why: expect.stringContaining(why) });
  });

  test('installers inside may say yes to what scripts ask for and the machine has', () => {
    const script = 'apt-get update\napt-get install -y curl \\\n  nginx\npip install numpy pandas\n';
    expect(installedFor(machine, script)).toEqual({ debian: ['curl'], python: ['numpy'] });
  });

  test.each([
    [{}, null],
    [{ programs: ['gcc', 'cargo'] }, 'cargo'],
    [{ packages: ['git: installed here', 'libtbb-dev: installed here'] }, 'libtbb-dev'],
    [{ packages: ['pandas>=2: installed here'] }, 'pandas>=2'],
    [{ installed: { debian: ['curl', 'nginx'], python: [] } }, 'nginx'],
    [{ installed: { debian: [], python: ['numpy', 'pandas'] } }, 'pandas'],
  ])('of what stood in for an image elsewhere, %j, this machine lacks %s', (had, missing) => {
    const all = { programs: ['gcc'], packages: ['tmux: not needed here', 'NumPy>=1: installed here'] };
    expect(missingStandIn(machine, { ...all, installed: { debian: [], python: [] }, ...had })).toBe(missing);
  });
});
