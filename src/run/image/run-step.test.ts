import { describe, expect, test } from 'vitest';
import { readRunStep } from './run-step.ts';

describe('a RUN instruction that installs is read as a list of what it installs', () => {
  test.each([
    [
      'apt-get update && apt-get install -y --no-install-recommends curl=7.1 git && rm -rf /var/lib/apt/lists/*',
      { debian: ['curl=7.1', 'git'] },
    ],
    ['pip3 install --no-cache-dir pytest==8.4.1 "numpy>=2"', { python: ['pytest==8.4.1', 'numpy>=2'] }],
    ['python3 -m pip install -r requirements.txt', { requirements: ['/app/requirements.txt'] }],
    ["curl --proto '=https' -sSf https://sh.rustup.rs | sh -s -- -y", { programs: ['cargo', 'rustc'] }],
    ['curl -LsSf https://astral.sh/uv/0.9.22/install.sh | env UV_INSTALL_DIR="/usr/local/bin" sh', { programs: [] }],
    ['mkdir -p /app/data out && chmod +x run.sh', { dirs: ['/app/data', '/app/out'], executables: ['/app/run.sh'] }],
    ['g++ --version && make --version', { programs: ['g++', 'make'] }],
    ['ln -s /usr/bin/python3 /usr/bin/python', {}],
    ['mkdir -p /usr/local/bin /opt/data', { dirs: ['/opt/data'] }],
    ['cd /srv && mkdir data', { dirs: ['/srv/data'] }],
  ])('%s', (text, expected) => {
    expect(readRunStep(text, '/app')).toMatchObject(expected);
  });
});

describe('a RUN instruction that makes something needs an image, and is named', () => {
  test.each([
    'gcc -o solver solver.c',
    'git clone https://example.com/x.git',
    'echo secret > /app/answer.txt',
    'curl -O https://example.com/data.csv',
    'npm install',
    'rm -rf /app/data',
    'env MODE=fast ./configure',
    'apt-get install -y $PACKAGES',
    'cat <<EOF > x',
  ])('%s', (text) => {
    expect(readRunStep(text, '/app')).toContain('RUN ');
  });
});
