import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followUnit } from './boot-chain.ts';

function place(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-chain-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(dir, name), text.replaceAll('DIR', dir));
    chmodSync(join(dir, name), 0o755);
  }
  return dir;
}

const SEED = {
  'loops.service':
    '[Service]\nType=oneshot\nWorkingDirectory=DIR\nEnvironment=RESUME_PHASE=1 "A=b c"\nExecStart=DIR/loops-start\n',
  'loops-start': '#!/bin/bash\n# starts DIR/old.sh\ncd "$(dirname "$0")" && exec ./launch.sh start\n',
  'old.sh': '#!/bin/sh\n',
  'launch.sh': '#!/bin/sh\nexec python3 DIR/launch.py "$@"\n',
  'launch.py': 'import os, sys\nos.execvp("python3", ["python3", "DIR/agents.py", "up"])\n',
  'agents.py': 'print()\n',
};

test('the chain of the system before is followed from the unit to the script that starts the agents', () => {
  const dir = place(SEED);
  const chain = followUnit(join(dir, 'loops.service'), undefined, {});
  expect(chain.files).toEqual(
    ['loops.service', 'loops-start', 'launch.sh', 'launch.py'].map((name) => join(dir, name)),
  );
  expect(chain).toMatchObject({
    shim: join(dir, 'launch.py'),
    kind: 'python',
    start: { argv: [join(dir, 'loops-start')], cwd: dir, env: { RESUME_PHASE: '1', A: 'b c' } },
  });
});

test('a unit that starts the agents itself is the shim', () => {
  const dir = place({
    'a.service': '[Service]\nExecStart="/opt/engine/seatrial" "up" "--resume" "--project" "/srv/100%%"\n',
  });
  expect(followUnit(join(dir, 'a.service'), undefined, {})).toMatchObject({
    kind: 'unit',
    start: { argv: ['/opt/engine/seatrial', 'up', '--resume', '--project', '/srv/100%'] },
  });
});

test('what cannot be followed is asked for', () => {
  const dir = place({ ...SEED, 'loops-start': '#!/bin/sh\nDIR/old.sh\nDIR/launch.sh start\n' });
  const unit = join(dir, 'loops.service');
  expect(() => followUnit(unit, undefined, {})).toThrow(/names 2 scripts .*--shim <file>/);
  expect(followUnit(unit, join(dir, 'launch.sh'), {}).shim).toBe(join(dir, 'launch.sh'));
  expect(() => followUnit(join(dir, 'old.sh'), undefined, {})).toThrow(/has no ExecStart/);
});
