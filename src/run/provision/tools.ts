import { resolveTool, type ToolSearch } from '../../confine/tools/toolchain.ts';
import type { Mount } from '../../confine/types.ts';
import type { Tool } from '../../evidence/schema/report.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { LOCKFILES } from '../../task/lockfiles.ts';
import type { SetupPlan } from './plan.ts';

/** The host's programs that a setup uses, as mounted in the sandbox. */
export interface SetupTools {
  readonly tools: readonly Tool[];
  readonly mounts: readonly Mount[];
  readonly dirs: readonly string[];
  /** Package managers that are not installed, and that corepack downloads when called. */
  readonly byCorepack: readonly string[];
}

const MANAGERS = [...new Set(LOCKFILES.flatMap(({ programs }) => programs))];
const OTHERS = ['npx', 'corepack', 'python', 'pip', 'pip3', 'rustc', 'make', 'gcc', 'cmake'];
const COREPACK_MANAGERS = new Set(['pnpm', 'yarn']);

const INSTALL: Readonly<Record<string, string>> = {
  npm: 'install Node.js 20 or newer',
  node: 'install Node.js 20 or newer',
  pnpm: 'run npm install --global pnpm',
  yarn: 'run npm install --global yarn',
  uv: 'run pip install uv',
  python3: 'install Python 3',
  cargo: 'install Rust with rustup',
  go: 'install Go',
};

/** Finds a setup's tools. A missing one blocks the default command of a lockfile; any other command reports it itself. */
export async function findSetupTools(plan: SetupPlan, search: ToolSearch): Promise<SetupTools> {
  const wanted = plan.isByLockfile ? (plan.lockfile?.programs ?? []) : programsNamed(plan.command);
  const found = await Promise.all(wanted.map((name) => resolveTool(name, search)));
  const missing = wanted.filter((_, index) => found[index] === null);
  const byCorepack = missing.filter((name) => COREPACK_MANAGERS.has(name));
  const corepack = byCorepack.length === 0 ? null : await resolveTool('corepack', search);
  const firstMissing = missing.find((name) => corepack === null || !COREPACK_MANAGERS.has(name));
  if (plan.isByLockfile && firstMissing !== undefined) {
    const how = INSTALL[firstMissing] ?? 'install it';
    const neededBy = plan.lockfile?.file ?? 'the setup';
    throw new Refused(reason('setup_tool_missing', { needed_by: neededBy, program: firstMissing, install: how }));
  }
  const resolved = [...found, corepack].filter((tool) => tool !== null);
  return {
    tools: resolved.map(({ tool }) => tool),
    mounts: resolved.flatMap(({ mounts }) => mounts),
    dirs: [...new Set(resolved.flatMap(({ pathEntries }) => pathEntries))],
    byCorepack: corepack === null ? [] : byCorepack,
  };
}

/** The known programs that occur as words in a shell command. */
export function programsNamed(command: string): string[] {
  const words = new Set(command.split(/[\s;&|()<>'"`$]+/));
  const named = [...MANAGERS, ...OTHERS].filter((name) => words.has(name));
  // These package managers are Node scripts.
  return named.some((name) => ['npm', 'npx', 'pnpm', 'yarn', 'corepack'].includes(name))
    ? [...new Set([...named, 'node'])]
    : named;
}
