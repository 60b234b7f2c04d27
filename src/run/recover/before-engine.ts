import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { count, sha256Hex } from '../../evidence/schema/parts.ts';
import { pathBytes, pathText } from '../../kernel/path-text.ts';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';
import { compareTrees, type Leaf } from '../../task/tree/compare.ts';

/** In the scratch directory, where no confined engine comes: what a workspace held beyond its base before the engine was let in. */
export const BEFORE_ENGINE_FILE = 'before-engine.json';

const entry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('file'),
    path: z.string(),
    executable: z.boolean(),
    sha256: sha256Hex,
    bytes: count,
  }),
  z.strictObject({ kind: z.literal('link'), path: z.string(), target: z.string() }),
]);
type Entry = z.infer<typeof entry>;

const schema = z.strictObject({ stateDirs: z.array(z.string()), added: z.array(entry) });

interface BeforeEngine {
  readonly stateDirs: readonly string[];
  readonly beforeEngine: Tree;
}

/** For the case that this process is killed: with this and the base, another one can tell what the engine did. */
export function noteBeforeEngine(
  file: string,
  { stateDirs, base, beforeEngine }: BeforeEngine & { readonly base: Tree },
): void {
  const changes = beforeEngine === base ? [] : compareTrees(base, beforeEngine);
  const added = changes.flatMap(({ after }) => (after === null ? [] : [written(after)]));
  writeFileSync(file, JSON.stringify({ stateDirs, added }));
}

/** Throws where it is missing or is not what `noteBeforeEngine` writes. */
export function readBeforeEngine(file: string, base: Tree): BeforeEngine {
  const { stateDirs, added } = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const entries = new Map(base.entries);
  for (const one of added.map(read)) entries.set(one.path.toString('latin1'), one);
  return { stateDirs, beforeEngine: { entries, faults: [] } };
}

function written(one: Leaf): Entry {
  const path = pathText(one.path);
  if (one.kind === 'link') return { kind: 'link', path, target: pathText(one.target) };
  return { kind: 'file', path, executable: one.executable, sha256: one.sha256, bytes: one.bytes };
}

function read(one: Entry): TreeEntry {
  const common = { path: pathBytes(one.path), ctimeMs: 0 };
  return one.kind === 'link' ? { ...one, ...common, target: pathBytes(one.target) } : { ...one, ...common };
}
