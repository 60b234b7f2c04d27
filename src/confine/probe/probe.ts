import { randomBytes } from 'node:crypto';
import { readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { attemptsProgram } from '../seccomp/attempts-program.ts';
import { ATTEMPTS, faultsOf, PROBE_SCRIPT, readFindings } from './findings.ts';
import type { Confinement, Limits, Mount } from '../types.ts';

export interface ProbeRequest {
  /** The run's nonce, which shows that the probe's answer belongs to this run. */
  readonly nonce: string;
  /** The mounts of the command that is probed for. */
  readonly mounts: readonly Mount[];
  readonly limits: Limits;
  /** Host paths that must not be visible: sealed tests, keys, runs. The probe adds a file of its own. */
  readonly invisible: readonly string[];
  /** An unmounted directory for that file. It must be removed with the run, so that a crash leaves nothing behind. */
  readonly outside: string;
  readonly timeoutMs?: number;
}

export interface ProbeResult {
  readonly passed: boolean;
  /** The faults found, or what the probe verified. */
  readonly detail: string;
  /** The mount table of the sandbox. */
  readonly mounts: readonly string[];
  readonly namespaces: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20_000;
const NAMESPACES = ['user', 'pid', 'net', 'ipc', 'uts', 'mnt', 'cgroup'];

/** Tests the sandbox from inside, with the same options that the run will use. */
export async function probe(confinement: Confinement, request: ProbeRequest): Promise<ProbeResult> {
  const failed = (detail: string): ProbeResult => ({ passed: false, detail, mounts: [], namespaces: {} });
  if (confinement.kind === 'none') return failed('not confined');
  const unaskable = request.invisible.find((path) => path.includes('\n'));
  if (unaskable !== undefined) return failed(`cannot probe for a path with a line break: ${JSON.stringify(unaskable)}`);
  const witness = join(request.outside, `outside-${randomBytes(4).toString('hex')}`);
  const attempts = join(request.outside, `attempts-${randomBytes(4).toString('hex')}`);
  try {
    writeFileSync(witness, request.nonce, { flag: 'wx' });
    const filtered = !confinement.describe().not_enforced.includes('seccomp');
    const program = filtered ? attemptsProgram(process.arch) : null;
    if (program !== null) writeFileSync(attempts, program, { flag: 'wx', mode: 0o755 });
    return await probeFor(confinement, request, {
      invisible: [...request.invisible, witness],
      mounts:
        program === null ? request.mounts : [...request.mounts, { source: attempts, target: ATTEMPTS, mode: 'ro' }],
      filtered,
    });
  } finally {
    for (const path of [witness, attempts]) rmSync(path, { force: true });
  }
}

/** What the probe looks at beyond the request. */
interface ProbedFor {
  readonly invisible: readonly string[];
  readonly mounts: readonly Mount[];
  readonly filtered: boolean;
}

async function probeFor(
  confinement: Confinement,
  request: ProbeRequest,
  { invisible, mounts, filtered }: ProbedFor,
): Promise<ProbeResult> {
  const sandboxed = confinement.start({
    argv: ['/bin/sh', '-c', PROBE_SCRIPT],
    env: {},
    cwd: '/',
    mounts,
    limits: request.limits,
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    outputBytes: 1024 ** 2,
  });
  sandboxed.stdin.end([request.nonce, ...invisible, ''].join('\n'));
  const [output, problems, end] = await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
  const findings = readFindings(output);
  const ended = end.kind === 'exited' && end.exitCode === 0;
  const why =
    end.kind === 'timed_out'
      ? 'the machine may be too busy, so try again'
      : end.kind === 'not_run'
        ? end.detail
        : problems.trim();
  const faults = [
    ...(ended ? [] : [`the probe did not finish (${end.kind}): ${why}`]),
    // What it did not come to say is no fault of the sandbox.
    ...(end.kind === 'not_run' || end.kind === 'timed_out'
      ? []
      : faultsOf(findings, {
          nonce: request.nonce,
          invisible,
          ownNamespaces: ownNamespaces(),
          filtered,
          secretPaths: [
            ...invisible,
            ...request.mounts.filter((mount) => mount.source !== mount.target).map(({ source }) => source),
          ],
        })),
  ];
  const shown = `${invisible.length} paths not reachable, no network, no capabilities, own namespaces${filtered ? ', system calls filtered' : ''}`;
  return {
    passed: faults.length === 0,
    detail: faults.length === 0 ? shown : faults.join('; '),
    mounts: findings.mounts,
    namespaces: findings.namespaces,
  };
}

function ownNamespaces(): Record<string, string> {
  return Object.fromEntries(NAMESPACES.map((name) => [name, readlinkSync(`/proc/self/ns/${name}`)]));
}
