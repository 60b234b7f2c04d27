/** What follows a directory that Python imports from: a module's file, its compiled form, or a package's directory. */
const PYTHON =
  /\/(?:python3(?:\.\d+)?|site-packages|dist-packages|lib-dynload)\/(?:__pycache__\/)?([A-Za-z_]\w*)(?:\.|\/)/g;
const NODE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g;

/** The names of modules behind files that were read outside the tree: a new file of the tree must not take such a name. */
export function outsideModules(files: readonly string[]): string[] {
  const names = new Set<string>();
  for (const file of files) {
    // The innermost directory counts: `python3.11/site-packages/x`.
    const name = [...file.matchAll(PYTHON)].at(-1)?.[1] ?? [...file.matchAll(NODE)].at(-1)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].sort();
}
