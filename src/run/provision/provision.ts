import { mkdirSync } from 'node:fs';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { dirname, join } from 'node:path';
import type { Programs } from '../../confine/tools/caller-programs.ts';
import type { ToolSearch } from '../../confine/tools/toolchain.ts';
import type { Confinement, Limits } from '../../confine/types.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import type { Provision, Tool } from '../../evidence/schema/report.ts';
import { MAX_CACHE_BYTES, pruneCache } from '../cache/prune.ts';
import { noteUse } from '../cache/uses.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { projectFiles, readPlain } from '../../task/project-files.ts';
import { fillEntry, findEntry, type Found } from './cache.ts';
import { makeProducts, type Making } from './make.ts';
import { planSetup, provisionKey } from './plan.ts';
import { type Products, productsIn } from './products.ts';
import { rebuildCommand } from './rebuild.ts';
import { findSetupTools } from './tools.ts';

export interface Provisioned {
  /** Null if there was nothing to set up. */
  readonly facts: Provision | null;
  readonly products: Products | null;
  readonly tools: readonly Tool[];
  /** Files of the base that the setup changed; these block the run. */
  readonly dirty: readonly string[];
  /** What every command of the run finds by name: programs that the setup made, then the caller's. */
  readonly programs: Programs;
}

const nothingProvisioned = (programs: Programs): Provisioned => ({
  facts: null,
  products: null,
  tools: [],
  dirty: [],
  programs,
});

/** How the cache of products is used. */
export type CacheUse =
  /** Use entries signed by this key, and create missing ones. */
  | { readonly kind: 'fill'; readonly dir: string; readonly key: HarnessKey }
  /** Use only an entry with exactly these products; write nothing. */
  | { readonly kind: 'read'; readonly dir: string; readonly productsSha256: string }
  | { readonly kind: 'none' };

export interface ProvisionEnvironment {
  readonly confinement: Confinement;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly cache: CacheUse;
  readonly tools: ToolSearch;
  /** The caller's programs that the setup finds by name. */
  readonly programs: Programs;
  /** Variables of the task. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of the caller, passed only to the setup. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of the caller, likewise. */
  readonly files?: Making['files'];
  /** As `Making` has it. */
  readonly settle?: (tree: string) => readonly string[];
  /** An existing directory for this provision alone. */
  readonly scratch: string;
  /** The directory for the setup's output. */
  readonly logs: string;
  readonly mask: Masker;
  readonly onLine: (line: string) => void;
}

/** The tree to set up. */
export interface SetupBase {
  readonly archive: string;
  readonly sha256: string;
  /** The unpacked archive, unchanged. */
  readonly dir: string;
}

/** Takes the products from the cache, or runs the setup command, confined. Throws `SetupFailed` if the command fails. */
export async function provisionTree(
  environment: ProvisionEnvironment,
  base: SetupBase,
  command: string | null,
): Promise<Provisioned> {
  if (command === null) return nothingProvisioned(environment.programs);
  const started = environment.clock.mono();
  const plan = planSetup(command, projectFiles(base.dir));
  const tools = await findSetupTools(plan, environment.tools);
  const key = provisionKey({
    plan,
    digestOf: (path) => digestOf(base.dir, path),
    baseSha256: base.sha256,
    // Any other command may start whatever it finds.
    tools: plan.isByLockfile ? tools.tools : [...tools.tools, ...environment.programs.tools],
    platform: `${process.platform} ${process.arch}`,
    variables: environment.variables,
  });
  const outcome = await obtain(environment, { ...environment, key, command, baseArchive: base.archive, tools });
  if (outcome.kind === 'dirty') return { ...nothingProvisioned(environment.programs), dirty: outcome.files };
  const { dir, about, cached } = outcome;
  const products = productsIn(
    dir,
    about,
    tools,
    rebuildCommand(plan, projectFiles(base.dir), about.files),
    environment.confinement,
  );
  return {
    facts: {
      lockfile: plan.lockfile?.file ?? null,
      setup_command: command,
      key,
      products_sha256: about.products_sha256,
      cached,
      duration_ms: Math.round(environment.clock.mono() - started),
    },
    products,
    tools: tools.tools,
    dirty: [],
    programs: { ...environment.programs, dirs: [...products.searched, ...environment.programs.dirs] },
  };
}

type Outcome =
  | (Found & { readonly kind: 'found'; readonly cached: boolean })
  | { readonly kind: 'dirty'; readonly files: readonly string[] };

async function obtain({ cache, clock, confinement, scratch }: ProvisionEnvironment, making: Making): Promise<Outcome> {
  const { key, signal } = making;
  // Products of an unconfined setup hold paths of this run, and any process could have changed them.
  const usable = confinement.kind === 'none' || !isUsable(cache) ? NO_CACHE : cache;
  if (usable.kind === 'fill') {
    let dirty: readonly string[] = [];
    const make = async (dir: string): Promise<Found['about'] | null> => {
      const made = await makeProducts(dir, making);
      if (made.kind === 'made') return made.about;
      dirty = made.files;
      return null;
    };
    noteUse(usable.dir, key);
    const quick = findEntry(usable.dir, key, { kind: 'signed', key: usable.key });
    const found =
      quick === null
        ? await fillEntry({ cacheDir: usable.dir, key, signWith: usable.key, signal, make })
        : { ...quick, cached: true };
    if (found?.cached === false) await pruneCache(dirname(usable.dir), { maxBytes: MAX_CACHE_BYTES }, clock.now());
    return found === null ? { kind: 'dirty', files: dirty } : { kind: 'found', ...found };
  }
  const known =
    usable.kind === 'read' ? findEntry(usable.dir, key, { kind: 'digest', sha256: usable.productsSha256 }) : null;
  if (known !== null) return { kind: 'found', ...known, cached: true };
  const dir = join(scratch, 'provision');
  mkdirSync(dir, { mode: 0o711 });
  const made = await makeProducts(dir, making);
  return made.kind === 'made' ? { kind: 'found', dir, about: made.about, cached: false } : made;
}

const NO_CACHE: CacheUse = { kind: 'none' };

/** A cache that is not writable is skipped, which only costs time. */
function isUsable(cache: CacheUse): boolean {
  if (cache.kind !== 'fill') return true;
  try {
    makeDirs(cache.dir, 0o700);
    return true;
  } catch {
    return false;
  }
}

function digestOf(dir: string, path: string): string | null {
  const content = readPlain(dir, path);
  return content === null ? null : sha256(content);
}
