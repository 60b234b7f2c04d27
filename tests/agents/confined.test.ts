import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AgentsPlace, commandLine } from '../support/agents-place.ts';

const SOON = { timeout: 90_000, interval: 200 };

/** Writes a secret of its own into everything that it has, tries to write what is not its own, and claims. Told to go on after a refusal, once more. */
const BUILDER = `
own=$(dirname "$SEATRIAL_STATUS")
state=$(dirname "$(dirname "$(dirname "$(dirname "$SEATRIAL_STATUS")")")")/state
for path in "$SEATRIAL_REVIEW" "$(dirname "$SEATRIAL_REVIEW")/new" "$state/phase-idx" "$state/journal.jsonl" \\
  "$SEATRIAL_PROJECT/agents.toml" "$SEATRIAL_PROJECT/prompts/builder.md" "$SEATRIAL_PLAN" "$1" "$2" "$HOME/own" "$SEATRIAL_INBOX" ./own
do (echo >>"$path") 2>/dev/null && echo "wrote $path"; done >"$own/wrote.txt"
for attempt in 1 2; do
  secret=secret-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')
  echo "$secret" >>"$SEATRIAL_JOURNAL"
  echo "$secret"
  git switch --quiet -C notes && git commit --quiet --allow-empty -m "$secret" && git switch --quiet -
  git commit --quiet --allow-empty -m "Attempt $attempt"
  echo "CLAIM $(git rev-parse HEAD)" >>"$SEATRIAL_STATUS"
  SECRET=$secret sh -c 'until [ -e "$2/go-on" ] && [ "$(grep -c "^FAIL" "$SEATRIAL_INBOX")" -ge "$1" ]; do sleep 0.2; done' sh "$attempt" "$own" "$secret"
done
exec sleep 600
`;

/** Collects everything that it can find before its verdict, and notes when the journal opens. */
const ADVERSARY = `
until grep -q '^CLAIM' "$SEATRIAL_INBOX"; do sleep 0.2; done
commit=$(sed -n 's/^CLAIM //p' "$SEATRIAL_INBOX" | tail -1)
own=$(dirname "$SEATRIAL_REVIEW")
log=$(dirname "$(dirname "$(dirname "$own")")")
{
  cat "$SEATRIAL_JOURNAL"; ls -A "$(dirname "$SEATRIAL_JOURNAL")"
  git log --all; git cat-file --batch-all-objects --batch; git -C "$log/clones/builder" log --all
  tmux -S "$1" list-sessions; tmux -S "$1" capture-pane -p -t =t-builder:; tmux list-sessions
  grep -rsao 'secret-[0-9a-f]*' "$log" /tmp /run /dev/shm "$HOME" --exclude-dir=adversary --exclude-dir=.git
  for process in /proc/[0-9]*; do
    tr '\\0' '\\n' <"$process/cmdline"; tr '\\0' '\\n' <"$process/environ"; cat "$process/root$SEATRIAL_JOURNAL"; cat "$process"/fd/[3-9]
  done
  echo "processes: $(ls -d /proc/[0-9]* | wc -l)"
} >"$own/found-$commit.txt" 2>&1 </dev/null
echo "VERDICT FAIL $commit" >>"$SEATRIAL_REVIEW"
until [ -s "$SEATRIAL_JOURNAL" ]; do sleep 0.2; done
cp "$SEATRIAL_JOURNAL" "$own/opened-$commit.txt"
exec sleep 600
`;

const TOML = `session_prefix = "t-"
repo = "repo"
roles_dir = "prompts"
max_rounds = 9
[defaults]
backend = "command"
[[phases]]
id = "one"
plan = "one.md"
[agents.builder]
kind = "loop"
role = "builder"
command = 'sh "$SEATRIAL_PROJECT/builder.sh" PACKAGE HOME'
[agents.adversary]
kind = "loop"
role = "adversary"
command = 'sh "$SEATRIAL_PROJECT/adversary.sh" SOCKET'
`;

const places: AgentsPlace[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function open(): AgentsPlace {
  const place = new AgentsPlace('', {
    'one.md': 'Do it.\n',
    'prompts/builder.md': 'Build.\n',
    'prompts/adversary.md': 'Refute.\n',
    'builder.sh': BUILDER,
    'adversary.sh': ADVERSARY,
    'repo/a.txt': 'a\n',
  });
  places.push(place);
  const outside = join(place.place.home, 'outside');
  const seatrial = join(import.meta.dirname, '../../dist/made-by-an-agent');
  place.write(
    'agents.toml',
    TOML.replace('PACKAGE', seatrial).replace('HOME', outside).replace('SOCKET', place.socket),
  );
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-qm', 'Start'],
  ])
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(place.project, 'repo') });
  return place;
}

test('a builder writes only what is its own, and an adversary finds nothing of its reasoning before each verdict', async () => {
  const place = open();
  const up = await place.call('up');
  expect(up.code, up.stderr).toBe(0);
  const phase = join(place.project, '.ao-state/protocol/one');
  const read = (name: string): string => readFileSync(join(phase, name), 'utf8');
  const verdicts = () => place.facts('verdict.seen');
  const opened = (at: number): boolean => existsSync(join(phase, `adversary/opened-${verdicts()[at]?.commit}.txt`));
  await expect.poll(() => opened(0), SOON).toBe(true);
  // Only now: the next claim ends the adversary, who would not have noted that the journal was opened.
  writeFileSync(join(phase, 'builder/go-on'), '');
  await expect.poll(() => opened(1), SOON).toBe(true);
  const commits = verdicts().map(({ commit }) => commit);

  const secrets = read('journal/JOURNAL-one.md').trim().split('\n');
  expect(secrets).toEqual([expect.stringMatching(/^secret-/), expect.stringMatching(/^secret-/)]);
  commits.forEach((commit, at) => {
    const found = read(`adversary/found-${commit}.txt`);
    // It looked: its own clone, its own processes, and what it is told.
    expect(found).toContain(`Attempt ${at + 1}`);
    expect(found).toContain('SEATRIAL_AGENT=adversary');
    expect(found).toMatch(/processes: \d\n/);
    expect(found).toMatch(/error connecting to .*tmux\.sock|no server running/);
    for (const secret of secrets) expect(found).not.toContain(secret);
    expect(read(`adversary/opened-${commit}.txt`).trim().split('\n')).toEqual(secrets.slice(0, at + 1));
  });

  const written = read('builder/wrote.txt').trim().split('\n');
  expect(written.map((line) => line.replace(/^.*\.ao-state\//, ''))).toEqual([
    'agents/builder/home/own',
    'protocol/one/inbox/BUILDER-INBOX.md',
    'wrote ./own',
  ]);
}, 240_000);

test('variables that agents.toml names reach the pane and the watchdog, and are in no file, command line or tmux server', async () => {
  const secret = `it's "secret" ${process.pid}`;
  const place = new AgentsPlace(`session_prefix = "t-"
[agents.helper]
kind = "persistent"
backend = "command"
env = ["SECRET_TOKEN"]
command = 'printf "%s[%s]\\n" "\${#SECRET_TOKEN}" "$LEFT_OVER" >>seen.txt; exec sleep 600'
`);
  places.push(place);
  const without = await place.call('up');
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('SECRET_TOKEN of `env`') });
  Object.assign(place.env, { SECRET_TOKEN: secret });
  // What the server was started with is not the agent's.
  spawnSync('tmux', ['-S', place.socket, 'new-session', '-d', '-s', 'other', 'sleep 600'], {
    env: { PATH: '/usr/bin:/bin', LEFT_OVER: 'x' },
  });
  const up = await place.call('up');
  expect(up.code, up.stderr).toBe(0);
  const seen = (): string[] => {
    const path = join(place.project, 'seen.txt');
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  };
  await expect.poll(() => seen().length, SOON).toBe(1);
  // Started again by the watchdog.
  process.kill(place.panePid('t-helper'), 'SIGKILL');
  await expect.poll(() => seen(), SOON).toEqual([`${secret.length}[]`, `${secret.length}[]`]);

  const files = spawnSync('grep', ['-rlF', secret, place.place.root], { encoding: 'utf8' });
  expect(files.stdout).toBe('');
  const pids = readdirSync('/proc').map(Number);
  for (const pid of pids.filter((one) => one > 0)) expect(commandLine(pid)).not.toContain(secret);
  expect(place.tmux('show-environment', '-g') + place.tmux('show-environment', '-t', '=t-helper')).not.toContain(
    secret,
  );
}, 240_000);
