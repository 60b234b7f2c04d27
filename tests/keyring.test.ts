import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Place, readReport } from './support/seatrial.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const CANARY = 'canary-of-the-session-keyring';
/** Names of system calls, so that the test runs on x86-64 and arm64. */
const CALLS = `
import ctypes, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
ADD, CTL = (248, 250) if platform.machine() == 'x86_64' else (217, 219)
SESSION, JOIN, SEARCH, READ = -3, 1, 10, 11
def call(*args): return libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
`;
/** Starts the harness in a session keyring that holds a key. */
const WITH_KEY = `${CALLS}
call(CTL, JOIN, b'', 0, 0)
made = call(ADD, b'user', b'seatrial-canary', b'${CANARY}', ${CANARY.length}, SESSION)
if made < 0: sys.exit('the key could not be made')
found = ctypes.create_string_buffer(100)
if call(CTL, READ, call(CTL, SEARCH, SESSION, b'user', b'seatrial-canary', 0), found, 100) < 0: sys.exit('unreadable')
os.execv(sys.argv[1], sys.argv[1:])
`;
/** What an engine does to read that key, or to leave one for the next run. */
const READ_KEY = `${CALLS}
found = ctypes.create_string_buffer(100)
for ring in (-1, -2, SESSION, -4, -5):
    key = call(CTL, SEARCH, ring, b'user', b'seatrial-canary', 0)
    if key > 0 and call(CTL, READ, key, found, 100) > 0: print('read', found.value.decode())
    if call(ADD, b'user', b'left-behind', b'x', 1, ring) > 0: print('left a key behind')
print('listed', open('/proc/keys').read().strip())
`;

test("an engine neither reads the caller's session keyring nor leaves anything in one", async () => {
  const task = place.task('answer');
  const command = `echo yes > answer.txt; python3 -c '${READ_KEY.replaceAll("'", `'"'"'`)}'`;
  const { code, stdout, stderr } = await place.seatrial(['run', task, '--engine', 'command', '--command', command], {
    through: ['python3', '-c', WITH_KEY],
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining('seal')]);
  const [run = ''] = place.runDirs();
  const dir = join(place.runs, run);
  expect(readFileSync(join(dir, 'backend/stdout.log'), 'utf8')).toBe('listed \n');
  expect(stdout).not.toContain(CANARY);
  expect(readReport(dir).confinement).toMatchObject({ session_keyring: 'inherited, calls refused' });
});
