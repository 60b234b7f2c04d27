import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DEFAULT_LIMITS } from './limits/limits.ts';
import { openConfinement } from './open.ts';
import { probe } from './probe/probe.ts';
import { removeScratch } from './remove-scratch.ts';
import { makeScratch } from './scratch.ts';
import type { Limits, SandboxResult } from './types.ts';

/** One action that a confined command attempts, as a line of shell. */
export interface Attempt {
  readonly script: string;
  readonly argv?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly timeoutMs?: number;
  readonly outputBytes?: number;
}

export interface AttemptPlan {
  readonly kind: 'bubblewrap' | 'none';
  readonly attempts: Readonly<Record<string, Attempt>>;
  readonly invisible: readonly string[];
  /** A command that keeps running; `ready` is printed once it has started. */
  readonly stay?: Attempt;
}

export interface AttemptResult {
  readonly end: SandboxResult;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AttemptReport {
  readonly results: Readonly<Record<string, AttemptResult>>;
  readonly probe: { readonly passed: boolean; readonly detail: string };
  readonly scratch: string;
}

/** A separate program, so that tests can start it as another user or with extra descriptors, and can kill it. */
async function main(plan: AttemptPlan): Promise<void> {
  const scratch = makeScratch();
  const confinement = await openConfinement({ kind: plan.kind, scratch });
  // One for each attempt: what one leaves must not count against the limits of the next.
  const mountsFor = (name: string) => {
    const workspace = join(scratch, `workspace-${name}`);
    mkdirSync(workspace);
    confinement.give(workspace);
    return [{ source: workspace, target: '/workspace', mode: 'rw' } as const];
  };
  const start = (name: string, attempt: Attempt) =>
    confinement.start({
      argv: attempt.argv ?? ['/bin/sh', '-c', attempt.script],
      env: {},
      cwd: '/workspace',
      mounts: mountsFor(name),
      limits: { ...DEFAULT_LIMITS, ...attempt.limits },
      timeoutMs: attempt.timeoutMs ?? 30_000,
      ...(attempt.outputBytes === undefined ? {} : { outputBytes: attempt.outputBytes }),
    });
  if (plan.stay !== undefined) {
    const staying = start('stay', plan.stay);
    staying.stdout.once('data', () => process.stdout.write('ready\n'));
    await staying.ended;
  }
  const results: Record<string, AttemptResult> = {};
  for (const [name, attempt] of Object.entries(plan.attempts)) {
    const sandboxed = start(name, attempt);
    sandboxed.stdin.end();
    const [stdout, stderr, end] = await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
    results[name] = { stdout, stderr, end };
  }
  const probed = await probe(confinement, {
    nonce: 'n0',
    mounts: mountsFor('probe'),
    limits: DEFAULT_LIMITS,
    invisible: plan.invisible,
    outside: scratch,
  });
  await removeScratch(scratch);
  process.stdout.write(JSON.stringify({ results, probe: probed, scratch } satisfies AttemptReport));
}

await main(JSON.parse(process.argv[2] ?? '{}'));
