import { closeSync, cpSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ResolvedTool, resolveTool } from '../../../confine/tools/toolchain.ts';
import { DEFAULT_LIMITS } from '../../../confine/limits/limits.ts';
import type { Mount } from '../../../confine/types.ts';
import { agentEnvironment } from '../../../engines/environment.ts';
import { artifactPath } from '../../../evidence/bundle/bundle.ts';
import type { AfterEngineContext, RunRequest } from '../../request.ts';
import type { WeakResult } from '../row.ts';
import type { WeakJudge } from './weak-judges.ts';

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1 << 20;

/** Lets a weak judge decide on the same tree that the harness is about to judge, without changing that tree. */
export async function tryWeakJudge(
  judge: WeakJudge,
  left: AfterEngineContext,
  request: RunRequest,
  oracleDir: string | null,
): Promise<WeakResult> {
  const dir = left.scratchPath('weak');
  const workspace = join(dir, 'workspace');
  mkdirSync(workspace, { recursive: true });
  left.confinement.give(workspace);
  const tools = await findTools(request, judge);
  const shown = (target: string): string => left.mounts.find((mount) => mount.target === target)?.source ?? dir;
  const readOnly = (target: string, source: string | null): Mount[] =>
    source === null ? [] : [{ source, target, mode: 'ro' }];
  const sandbox = left.confinement.start({
    argv: ['/bin/sh', '-c', judge.script],
    env: {
      ...agentEnvironment(left.bundle),
      PATH: [...tools.flatMap((tool) => tool.pathEntries), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    },
    cwd: '/workspace',
    mounts: [
      ...readOnly('/left', shown('/workspace')),
      ...readOnly('/artifacts', shown('/artifacts')),
      ...readOnly('/tests', left.sealedTests),
      ...readOnly('/said', writeOutput(dir, left)),
      ...readOnly('/engine', writeEngine(dir, left, request)),
      ...readOnly('/solution', copyOracle(dir, oracleDir)),
      { source: workspace, target: '/workspace', mode: 'rw' },
      // What the setup made.
      ...left.mounts.filter(({ target }) => target.startsWith('/workspace/')),
      ...tools.flatMap((tool) => tool.mounts),
    ],
    limits: DEFAULT_LIMITS,
    timeoutMs: TIMEOUT_MS,
  });
  sandbox.stdin.end();
  sandbox.stdout.resume();
  sandbox.stderr.resume();
  const end = await sandbox.ended;
  return { judge: judge.name, fooled: end.kind === 'exited' && end.exitCode === 0 };
}

async function findTools({ environment }: RunRequest, { needs }: WeakJudge): Promise<ResolvedTool[]> {
  const found = await Promise.all([
    resolveTool('python3', { ...environment.tools, needsModule: 'pytest' }),
    resolveTool('node', environment.tools),
    ...(needs === undefined || needs.includes('@') ? [] : [resolveTool(needs, environment.tools)]),
  ]);
  return found.filter((tool) => tool !== null);
}

/** The start of the engine's output. */
export function readOutput({ bundle }: Pick<AfterEngineContext, 'bundle'>): string {
  const fd = openSync(artifactPath(bundle, 'backend/stdout.log'), 'r');
  try {
    const buffer = Buffer.alloc(MAX_OUTPUT_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } finally {
    closeSync(fd);
  }
}

function writeOutput(dir: string, left: AfterEngineContext): string {
  return writeDir(dir, 'said', { 'stdout.log': readOutput(left), 'exit-code': String(left.exitCode) });
}

function writeEngine(dir: string, { contract, bundle }: AfterEngineContext, { engine }: RunRequest): string {
  const launch = engine.launch({
    contract,
    at: (path) => path,
    attempt: 'again',
    startedAt: bundle.startedAt,
    asks: false,
    program: null,
    model: null,
  });
  const { argv, env } = 'refused' in launch ? { argv: [], env: {} } : launch;
  const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  return writeDir(dir, 'engine', { 'run.sh': `${settings.join('')}${argv.at(-1) ?? ''}\n` });
}

function writeDir(parent: string, name: string, files: Readonly<Record<string, string>>): string {
  const dir = join(parent, name);
  mkdirSync(dir);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
  return dir;
}

function copyOracle(dir: string, oracleDir: string | null): string | null {
  if (oracleDir === null) return null;
  cpSync(oracleDir, join(dir, 'solution'), { recursive: true });
  return join(dir, 'solution');
}
