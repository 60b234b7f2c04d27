import * as z from 'zod/mini';

const named = z.optional(z.record(z.string(), z.string()));
const manifest = z.looseObject({
  dependencies: named,
  devDependencies: named,
  optionalDependencies: named,
  peerDependencies: named,
});
const installed = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), z.extend(manifest, { version: z.optional(z.string()) })),
});

/** A lockfile made from what is installed. */
export interface InstalledLock {
  /** A package-lock.json. */
  readonly text: string;
  /** The package.json, with tools for development as they are installed: in their versions, without those that the setup left out. */
  readonly about: string;
  /** Packages that nothing asks for, as a setup may bring them: `ava@5.3.1`. npm removes them unless they are named to it. */
  readonly unlisted: readonly string[];
}

const AT_THE_TOP = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * From the list that npm keeps of a node_modules (`node_modules/.package-lock.json`), and the package.json of the change. `wanted`: packages that the
 * change needs otherwise than the base. Null: there is no such list.
 */
export function lockOfInstalled(list: string, about: string, wanted: readonly string[]): InstalledLock | null {
  const read = parse(installed, list);
  if (read === null) return null;
  const { lockfileVersion, packages } = read;
  const own = parse(manifest, about) ?? {};
  const asked = new Set([own, ...Object.values(packages)].flatMap(namesIn));
  const unlisted = Object.entries(packages).flatMap(([path, { version }]) => {
    const name = AT_THE_TOP.exec(path)?.[1];
    return name === undefined || version === undefined || asked.has(name) ? [] : [`${name}@${version}`];
  });
  const tools = Object.entries(own.devDependencies ?? {}).flatMap(([name, spec]) => {
    if (wanted.includes(name)) return [[name, spec] as const];
    const found = packages[`node_modules/${name}`];
    const isNamed = /[:/]/.test(spec);
    return found === undefined ? [] : [[name, isNamed ? spec : (found.version ?? spec)] as const];
  });
  return {
    text: asText({ lockfileVersion, requires: true, packages }),
    about: asText({ ...own, devDependencies: Object.fromEntries(tools) }),
    unlisted,
  };
}

const asText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function namesIn(one: z.infer<typeof manifest>): string[] {
  return [one.dependencies, one.devDependencies, one.optionalDependencies, one.peerDependencies].flatMap((list) =>
    Object.keys(list ?? {}),
  );
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.infer<Schema> | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
