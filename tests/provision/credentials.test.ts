import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeBelow } from '../support/seatrial.ts';
import { Workshop } from '../support/workshop.ts';

const CANARY = 'canary-4f0b7a';

let workshop: Workshop;
beforeEach(() => {
  workshop = new Workshop();
});
afterEach(() => workshop.remove());

/** A Rust as rustup installs it, but in places of the caller's own, with credentials beside it. */
function installRust(rustupHome: string, cargoHome: string): void {
  const which = `[ "$1" = which ] && [ -n "$RUSTUP_HOME" ] && echo "$RUSTUP_HOME/toolchains/stable/bin/$2"`;
  writeBelow(cargoHome, {
    'bin/rustup': `#!/bin/sh\n${which}\n`,
    'bin/cargo': `#!/bin/sh\n${which}\n`,
    credentials: CANARY,
    'credentials.toml': CANARY,
    'config.toml': CANARY,
    'git/db/private/config': CANARY,
  });
  writeBelow(join(rustupHome, 'toolchains/stable'), {
    'bin/cargo': '#!/bin/sh\necho cargo 1.80.0\n',
    'lib/rustlib/components': '',
  });
  for (const path of [`${cargoHome}/bin/rustup`, `${cargoHome}/bin/cargo`, `${rustupHome}/toolchains/stable/bin/cargo`])
    chmodSync(path, 0o755);
}

test('setup, engine and tests get the chosen toolchain and no credentials', async () => {
  const rustupHome = join(workshop.root, 'odd/rustup');
  const cargoHome = join(workshop.root, 'elsewhere/cargo');
  installRust(rustupHome, cargoHome);
  writeBelow(workshop.home, {
    '.npmrc': CANARY,
    '.netrc': CANARY,
    '.config/go/env': CANARY,
    '.config/pip/pip.conf': CANARY,
  });
  const look = `PATH=$PATH:${join(rustupHome, 'toolchains/stable/bin')} cargo --version; grep -rs . ${workshop.home} ${cargoHome} ${rustupHome} /provision /home; cat .npmrc 2>/dev/null`;
  const repo = workshop.repository('words', {
    'src/answer.txt': 'no',
    'check.sh': `cat seen.txt; { ${look}; }; grep -q yes src/answer.txt\n`,
  });
  // What it was given, it may have written down.
  const setup = `{ ${look}; } > seen.txt; mkdir -p "$CARGO_HOME"; echo $GIVEN_KEY > .npmrc; echo $GIVEN_KEY > "$CARGO_HOME/credentials.toml"`;
  writeBelow(workshop.cwd, { 'seatrial.toml': '[confine]\nprovision_env = ["GIVEN_KEY"]\n' });
  const { report } = await workshop.ask(repo, `{ ${look}; } 2>&1; echo yes > src/answer.txt`, {
    test: 'sh check.sh',
    args: ['--setup', setup, '--allow-deciding', 'src/answer.txt'],
    env: {
      RUSTUP_HOME: rustupHome,
      CARGO_HOME: cargoHome,
      PATH: `${join(cargoHome, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      GIVEN_KEY: `${CANARY}-given`,
    },
  });
  expect([report.status, report.blockers]).toEqual(['pass', []]);
  expect(report.toolchain).toContainEqual(
    expect.objectContaining({
      name: 'cargo',
      version: '1.80.0',
      path: join(rustupHome, 'toolchains/stable/bin/cargo'),
    }),
  );
  for (const log of ['test.log', 'backend/stdout.log']) {
    const said = readFileSync(join(report.run_dir, log), 'utf8');
    expect(said).toContain('cargo 1.80.0');
    expect(said).not.toContain(CANARY);
    expect(said).not.toContain('[masked');
  }
  expect(report.confinement?.read_only).not.toContain(cargoHome);
});

test('a file that provision_files names is there for the setup alone, and its token is in no byte of the bundle', async () => {
  const token = 'npm_a1B2c3D4e5F6g7H8i9';
  writeBelow(workshop.home, { '.npmrc': `//registry.example.org/:_authToken=${token}\n` });
  writeBelow(workshop.cwd, { 'seatrial.toml': '[confine]\nprovision_files = ["~/.npmrc"]\n' });
  const repo = workshop.repository('words', { 'src/answer.txt': 'no', 'check.sh': 'grep -q yes src/answer.txt\n' });
  const look = 'echo "looked: $(cat ~/.npmrc 2>&1)"';
  const { report } = await workshop.ask(repo, `${look}; cat made/seen.txt; echo yes > src/answer.txt`, {
    test: 'sh check.sh',
    args: [
      '--setup',
      `${look}; mkdir made; cp ~/.npmrc made/seen.txt`,
      '--allow-deciding',
      'src/answer.txt',
      '--accept',
      'exit_code',
    ],
  });
  expect([report.status, report.blockers]).toEqual(['pass', []]);
  const said = (log: string): string => readFileSync(join(report.run_dir, log), 'utf8');
  expect(said('backend/setup.stdout.log')).toMatch(/looked: .*_authToken=\[masked: .*npmrc\]/);
  expect(said('backend/stdout.log')).toMatch(/looked: .*No such file/);
  // Even what the setup wrote down is masked when the engine prints it.
  expect(said('backend/stdout.log')).toContain('_authToken=[masked');
  const files = readdirSync(report.run_dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name)).includes(token), name).toBe(false);
});
