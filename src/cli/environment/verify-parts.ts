import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import { ownCommand } from '../../agents/lifecycle/environment.ts';
import { runNames } from '../../evidence/bundle/runs.ts';
import {
  compareWithLedger,
  type RunsVerification,
  verifyRun,
  type VerifiedRun,
} from '../../evidence/verify/verify-all.ts';
import type { VerifyOptions } from '../../evidence/verify/types.ts';
import { status } from '../../evidence/schema/parts.ts';

const listed = z.array(z.string());
/** What one process tells the other. */
const answered = z.array(
  z.strictObject({
    name: z.string(),
    verification: z.strictObject({
      dir: z.string(),
      run_id: z.nullable(z.string()),
      verdict: z.enum(['verified', 'consistent, signer unknown', 'invalid', 'unsealed']),
      status: z.nullable(status),
      checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    }),
    sealed: z.nullable(
      z.strictObject({
        name: z.string(),
        runId: z.string(),
        manifestSha256: z.string(),
        ledgerHeadAtStart: z.string(),
      }),
    ),
  }),
);

/** Below this, starting another process takes longer than it saves. */
const MIN_RUNS_PER_PROCESS = 250;
const MAX_PROCESSES = 16;

/**
 * Verifies every bundle of a runs directory, a large one with all processors: further processes of this command get the names of their
 * bundles on standard input. What such a process does not answer is verified here. `args`: how it is called.
 */
export async function verifyAllInParts(
  runsDir: string,
  options: VerifyOptions,
  args: readonly string[],
  runsPerProcess = MIN_RUNS_PER_PROCESS,
): Promise<RunsVerification> {
  const names = runNames(runsDir);
  const processes = Math.min(availableParallelism(), MAX_PROCESSES, Math.floor(names.length / runsPerProcess));
  const parts = consecutiveParts(names, Math.max(1, processes));
  const [own = [], ...others] = parts;
  const elsewhere = others.map((part) => verifyElsewhere(part, args));
  // Verifying blocks this process: before, the others must have all their names.
  await Promise.all(elsewhere.map(({ told }) => told));
  const verify = (part: readonly string[]): VerifiedRun[] => part.map((name) => verifyRun(runsDir, name, options));
  const verified = [verify(own)];
  for (const [index, part] of others.entries()) verified.push([...((await elsewhere[index]?.answer) ?? verify(part))]);
  return compareWithLedger(runsDir, names, verified.flat());
}

/** What such a further process does: prints its part of the answer as JSON. */
export function verifyListed(runsDir: string, options: VerifyOptions): void {
  const names = listed.parse(JSON.parse(readFileSync(0, 'utf8')));
  process.stdout.write(JSON.stringify(names.map((name) => verifyRun(runsDir, name, options))));
}

/** Consecutive names, so that the results of all parts are in the order of the names. */
export function consecutiveParts(names: readonly string[], count: number): readonly (readonly string[])[] {
  const size = Math.ceil(names.length / count);
  return Array.from({ length: count }, (_, index) => names.slice(index * size, (index + 1) * size));
}

/** What says where keys and settings lie. */
const NEEDED = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];

const environmentOf = (caller: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(NEEDED.flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]]])));

interface Elsewhere {
  /** It has got all names, or will not get them. */
  readonly told: Promise<void>;
  /** Null: it failed, or did not answer for exactly these runs. */
  readonly answer: Promise<readonly VerifiedRun[] | null>;
}

function verifyElsewhere(names: readonly string[], args: readonly string[]): Elsewhere {
  const [program = process.execPath, ...first] = ownCommand();
  const child = spawn(program, [...first, ...args], {
    env: environmentOf(process.env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const answer = new Promise<readonly VerifiedRun[] | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? answerFor(names, Buffer.concat(chunks)) : null));
  });
  const told = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.stdin.on('error', () => resolve());
    child.stdin.end(JSON.stringify(names), () => resolve());
  });
  return { told, answer };
}

function answerFor(names: readonly string[], bytes: Buffer): readonly VerifiedRun[] | null {
  try {
    const answer = answered.parse(JSON.parse(bytes.toString('utf8')));
    return answer.length === names.length && answer.every(({ name }, index) => name === names[index]) ? answer : null;
  } catch {
    return null;
  }
}
