import { resolveTool, type ToolSearch } from '../../confine/tools/toolchain.ts';
import type { Mount } from '../../confine/types.ts';
import type { Tool } from '../../evidence/schema/report.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { LOCKFILES } from '../../task/lockfiles.ts';
import type { SetupPlan } from './plan.ts';

/** The programs of this machine that a setup starts, as they are found inside. */
export interface SetupTools {
  readonly tools: readonly Tool[];
  readonly mounts: readonly Mount[];
  readonly folders: readonly string[];
  /** Package managers that are not installed, and that corepack brings when they are called. */
  readonly byCorepack: readonly string[];
}

const MANAGERS = [...new Set(LOCKFILES.flatMap(({ programs }) => programs))];
const OTHERS = ['npx', 'corepack', 'python', 'pip', 'pip3', 'rustc', 'make', 'gcc', 'cmake'];
const BROUGHT_BY_COREPACK = new Set(['pnpm', 'yarn']);

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

/** Finds what a setup needs. One that belongs to a lockfile cannot do without; another one is left to say so itself. */
export async function findSetupTools(plan: SetupPlan, search: ToolSearch): Promise<SetupTools> {
  const wanted = plan.isByLockfile ? (plan.lockfile?.programs ?? []) : programsNamed(plan.command);
  const found = await Promise.all(wanted.map((name) => resolveTool(name, search)));
  const missing = wanted.filter((_, index) => found[index] === null);
  const byCorepack = missing.filter((name) => BROUGHT_BY_COREPACK.has(name));
  const corepack = byCorepack.length === 0 ? null : await resolveTool('corepack', search);
  const lacking = missing.find((name) => corepack === null || !BROUGHT_BY_COREPACK.has(name));
  if (plan.isByLockfile && lacking !== undefined) {
    const how = INSTALL[lacking] ?? 'install it';
    throw new SeatrialError(
      'blocked',
      `${plan.lockfile?.file ?? 'the setup'} needs ${lacking}, which is not installed: ${how}, or give another --setup`,
    );
  }
  const resolved = [...found, corepack].filter((tool) => tool !== null);
  return {
    tools: resolved.map(({ tool }) => tool),
    mounts: resolved.flatMap(({ mounts }) => mounts),
    folders: [...new Set(resolved.flatMap(({ pathEntries }) => pathEntries))],
    byCorepack: corepack === null ? [] : byCorepack,
  };
}

/** Those that stand in a shell line as words of their own. */
export function programsNamed(command: string): string[] {
  const words = new Set(command.split(/[\s;&|()<>'"`$]+/));
  const named = [...MANAGERS, ...OTHERS].filter((name) => words.has(name));
  // Package managers are scripts of node.
  return named.some((name) => ['npm', 'npx', 'pnpm', 'yarn', 'corepack'].includes(name))
    ? [...new Set([...named, 'node'])]
    : named;
}
