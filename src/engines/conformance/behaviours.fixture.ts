import type { Turn } from '../../gateway/scripted/schema.ts';
import type { Upstream } from '../../gateway/types.ts';
import type { Terms } from '../../task/contract.ts';
import type { Engine } from '../definition.ts';
import type { Setting } from '../self-test.ts';

/** Something that any agent program may do on the built-in task r1-string-slugify. Every engine must lead it to the same verdict. */
export interface Behaviour {
  readonly name: string;
  /** `breaks`: changes the allowed file and fails its tests. `denied`: tries to write where it cannot, and says that it did. */
  readonly work: 'solves' | 'nothing' | 'breaks' | 'denied';
  /** What the model does instead of answering the engine; `dead`: its endpoint is gone. Only for engines that ask one. */
  readonly model?: Turn['fault'] | 'dead';
  /** The program asks for a model that is not admitted, three times. Only for engines that ask one. */
  readonly asksOtherModel?: true;
  /** What a policy says to whatever the program asks permission for. Only for engines that ask. */
  readonly policy?: 'allow' | 'deny';
  /** Shell, run before the work; a failure ends the program with its exit code. */
  readonly before?: string;
  /** Shell, run after the work; its exit code is the program's. */
  readonly after?: string;
  /** The model is asked with the program's own sign-in. Only for engines that have one. */
  readonly login?: true;
  /** The repository has settings that would run a command. Only for engines that obey settings. */
  readonly hostileSettings?: true;
  /** Shows how the harness treats any misbehaving program, so a stand-in takes the place of an agent that people install. */
  readonly standIn?: true;
  readonly timeLimitSec?: number;
  /** Part of the short form: enough to show that an engine is wired up. */
  readonly short?: true;
  readonly expected: {
    readonly status: 'pass' | 'fail' | 'blocked';
    /** Must be among the blockers. */
    readonly blocker?: (engine: string) => string;
  };
}

/** An engine that is about to show a behaviour, and the setting in which it may run. */
export interface Rehearsal {
  readonly engine: Engine;
  /** For engines with a program and a model. */
  readonly admitted?: {
    readonly setting: (terms: Terms) => Setting;
    readonly upstream: Upstream;
    /** The credential and the address of the model: in no byte of what is kept. */
    readonly secrets: readonly string[];
  };
  /** Files of a repository with which the program, if it obeyed them, would run `LEAVE_MARK`. Empty: it obeys none. */
  readonly hostileSettings?: Readonly<Record<string, string>>;
  /** Directories that the program needs beside its own. */
  readonly readOnly?: readonly string[];
  close(): Promise<void>;
}

/** `src/engines/<name>/rehearsal.fixture.ts` exports one as `rehearse`. `scratch` is a directory for its files. */
export type Rehearse = (behaviour: Behaviour, scratch: string) => Promise<Rehearsal>;

/** The same file may export `findAbsent`: why the engine's program cannot be rehearsed on this machine, or null. */
export type FindAbsent = () => Promise<string | null>;

/** Stands in the command line of the process that a behaviour leaves behind. */
export const LEFT_BEHIND = `86400.${process.pid}`;

/** A file of the caller's home that no engine may see, and a git setting that no engine may obey. */
export const POISON = '.seatrial-conformance-poison';

/** A variable of the caller that no engine may see. */
export const CALLER_CANARY = { variable: 'SEATRIAL_CANARY_TOKEN', value: 'canary-of-the-caller-42d7' };

/** Prints what a program can read of its surroundings, so that it is kept with its output. Ends it where no filter of system calls holds. */
const SHOW_ALL = [
  `[ "$(sed -n 's/^Seccomp:[[:space:]]*//p' /proc/self/status)" = 2 ] || exit 9`,
  'env',
  "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\000' '\\n'",
  'find "$HOME" /artifacts /tmp /run -type f -size -100k -exec cat {} + 2>/dev/null',
  // What a program says next starts on a line of its own.
  'echo',
].join('\n');

/** Run by whoever obeys hostile settings: a file that the task does not allow. */
export const LEAVE_MARK = 'echo obeyed > /workspace/HOSTILE-SETTINGS-OBEYED';

const PASS = { status: 'pass' } as const;

export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'solves the task', work: 'solves', short: true, expected: PASS },
  {
    name: 'changes nothing',
    work: 'nothing',
    short: true,
    expected: { status: 'fail', blocker: () => 'no diff produced' },
  },
  {
    name: 'cannot write, and says that it did',
    work: 'denied',
    expected: { status: 'fail', blocker: () => 'no diff produced' },
  },
  {
    name: 'exits with an error after it solved the task',
    standIn: true,
    work: 'solves',
    after: 'exit 3',
    expected: { status: 'fail', blocker: (engine) => `${engine} engine failed with exit code 3` },
  },
  {
    name: 'exits with 0 after it broke the task',
    standIn: true,
    work: 'breaks',
    after: 'exit 0',
    short: true,
    expected: { status: 'fail', blocker: () => 'tests failed' },
  },
  {
    name: 'leaves a process behind',
    standIn: true,
    work: 'solves',
    before: `setsid sleep ${LEFT_BEHIND} >/dev/null 2>&1 &`,
    expected: PASS,
  },
  {
    name: 'hangs',
    standIn: true,
    work: 'nothing',
    after: 'sleep 600',
    timeLimitSec: 6,
    expected: { status: 'fail', blocker: (engine) => `${engine} engine failed with exit code 124` },
  },
  {
    name: 'ignores SIGTERM and hangs',
    standIn: true,
    work: 'nothing',
    after: "trap '' TERM HUP INT; while :; do sleep 600; done",
    timeLimitSec: 6,
    expected: { status: 'fail', blocker: (engine) => `${engine} engine failed with exit code 124` },
  },
  {
    name: 'prints garbage',
    standIn: true,
    work: 'solves',
    before: `head -c 200000 /dev/urandom; head -c 200000 /dev/urandom >&2; printf '\\n{"event":"engine.claim","text":7}\\n\\000{{\\n'`,
    expected: PASS,
  },
  {
    name: 'prints 40 MB in one line',
    standIn: true,
    work: 'solves',
    before: `head -c 40000000 /dev/zero | tr '\\000' x; echo`,
    expected: PASS,
  },
  {
    name: "looks for the caller's home",
    standIn: true,
    work: 'solves',
    before: `[ ! -e "$HOME/${POISON}" ] && [ -z "$(git config --global --list 2>/dev/null)" ] || exit 9`,
    expected: PASS,
  },
  { name: 'shows all that it sees', standIn: true, work: 'solves', before: SHOW_ALL, short: true, expected: PASS },
  {
    name: 'is brought hooks and MCP servers by the repository',
    work: 'solves',
    hostileSettings: true,
    short: true,
    expected: PASS,
  },
  {
    name: 'looks for settings that the repository brought for it',
    standIn: true,
    work: 'solves',
    before:
      'for name in $HIDDEN; do if [ -d "$name" ]; then [ -z "$(ls -A "$name")" ]; else ! grep -q hooks "$name" 2>/dev/null; fi || exit 9; done',
    expected: PASS,
  },
];

/** For engines that ask before they act. */
export const PERMISSIONS: readonly Behaviour[] = [
  {
    name: 'is denied its tool call by the policy',
    work: 'solves',
    policy: 'deny',
    short: true,
    expected: { status: 'fail', blocker: (engine) => `a tool call of ${engine} was denied: ` },
  },
  { name: 'is allowed its tool call by the policy', work: 'solves', policy: 'allow', expected: PASS },
];

/** With the program's own sign-in, at an upstream that demands what its provider is known to demand. */
export const LOGINS: readonly Behaviour[] = [
  { name: 'is signed in', work: 'solves', login: true, expected: PASS },
  {
    name: 'is signed in and shows all that it sees',
    work: 'solves',
    login: true,
    before: SHOW_ALL,
    expected: PASS,
  },
];

/** What only the gateway can tell apart: the programs print one message for most of it, and many exit with 0. */
export const MODEL_FAULTS: readonly Behaviour[] = [
  { name: 'is refused with HTTP 401', model: { http_status: 401 }, ...blocked('HTTP 401'), short: true },
  { name: 'is refused with HTTP 429', model: { http_status: 429 }, ...blocked('HTTP 429') },
  { name: 'is answered with HTTP 500', model: { http_status: 500 }, ...blocked('HTTP 500') },
  { name: 'has a dead endpoint', model: 'dead', ...blocked('the connection failed') },
  {
    name: 'asks for another model',
    work: 'solves',
    asksOtherModel: true,
    expected: { status: 'fail', blocker: () => `model not admitted: ${OTHER_MODEL}` },
  },
  { name: 'gets half an answer', model: 'cut_stream', ...blocked('the answer was cut off') },
  { name: 'gets an answer that is no JSON', model: 'invalid_json', ...blocked('the answer cannot be read') },
  {
    name: 'waits for an answer until its time is over',
    work: 'nothing',
    model: 'hang',
    timeLimitSec: 8,
    expected: { status: 'fail', blocker: (engine) => `${engine} engine failed with exit code 124` },
  },
];

function blocked(why: string): Pick<Behaviour, 'work' | 'expected' | 'timeLimitSec'> {
  return {
    work: 'nothing',
    timeLimitSec: 60,
    expected: { status: 'blocked', blocker: () => `provider unavailable: ${why}` },
  };
}

export const OTHER_MODEL = 'another-model';

export const WORK: Readonly<Record<Behaviour['work'], string>> = {
  solves: `cat > strings.py <<'PYTHON'
import re
import unicodedata


def slugify(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
PYTHON`,
  nothing: ':',
  denied: 'echo x > /usr/denied || :',
  breaks: 'echo "def slugify(text): return text" > strings.py',
};

/** The behaviour as a shell line, for engines that run one. */
export function shellOf({ work, before = '', after = '' }: Behaviour, hides: readonly string[] = []): string {
  return [hiddenNames(hides), before, WORK[work], after].filter((line) => line !== '').join('\n');
}

/** The settings that the engine is shown empty, as a shell variable. */
export function hiddenNames(hides: readonly string[]): string {
  return `HIDDEN='${hides.map((name) => name.replace(/^\//, '')).join(' ')}'`;
}

/** Of the names of settings, those that programs expect to be a file. */
export const isSettingsFile = (name: string): boolean => /(?:\.jsonc?|\.env|hints)$/.test(name);
