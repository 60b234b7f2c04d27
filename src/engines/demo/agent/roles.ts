import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { nextAttempt, openClaim, readPlan } from './plan.ts';

/** What a demo agent has to do next. Null: nothing, it waits. */
export type DemoJob = () => Promise<string>;

const variable = (name: string): string => process.env[`SEATRIAL_${name}`] ?? '';

function textOf(name: string): string {
  try {
    return readFileSync(variable(name), 'utf8');
  } catch {
    return '';
  }
}

/** Runs a shell line in the clone. Resolves to its exit code and output. */
function shell(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    // The environment of its pane, which was written for it.
    const { env } = process;
    const child = spawn('/bin/sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function build(attempt: number): Promise<string> {
  const { attempts } = readPlan(textOf('PLAN'));
  const script = attempts[Math.min(attempt, attempts.length) - 1];
  if (script === undefined) return 'error: the plan has no attempt to make';
  // What landed in the phase before was merged elsewhere.
  await shell(
    `test -z "$SEATRIAL_BASE" || git merge-base --is-ancestor "$SEATRIAL_BASE" HEAD || git checkout -q --detach "$SEATRIAL_BASE"`,
  );
  const done = await shell(script);
  if (done.code !== 0) return `error: the attempt failed: ${done.output.trim()}`;
  await shell('git add -A && git diff --cached --quiet || git commit -q -m "Attempt of the demo builder"');
  const head = (await shell('git rev-parse HEAD')).output.trim();
  appendFileSync(variable('JOURNAL'), `Attempt ${attempt}: commit ${head}.\n`);
  appendFileSync(variable('STATUS'), `Attempt ${attempt} is done.\n\nCLAIM ${head}\n`);
  return `claimed ${head}`;
}

async function examine(commit: string): Promise<string> {
  const { check } = readPlan(textOf('PLAN'));
  const got = await shell(`git checkout -q --detach ${commit}`);
  const seen = got.code === 0 && check !== null ? await shell(check) : got;
  const verdict = seen.code === 0 ? 'PASS' : 'FAIL';
  const found = seen.output.trim() === '' ? 'The check of the plan holds.' : seen.output.trim();
  appendFileSync(variable('REVIEW'), `Commit ${commit}:\n\n${found}\n\nVERDICT ${verdict} ${commit}\n`);
  return `verdict ${verdict}`;
}

/** The next job of the agent's role. */
export function nextJob(): DemoJob | null {
  if (variable('ROLE') === 'builder') {
    const attempt = nextAttempt(textOf('STATUS'), textOf('INBOX'));
    return attempt === null ? null : () => build(attempt);
  }
  if (variable('ROLE') === 'adversary') {
    const claim = openClaim(textOf('INBOX'), textOf('REVIEW'));
    return claim === null ? null : () => examine(claim);
  }
  return null;
}
