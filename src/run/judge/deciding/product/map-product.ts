import type { BaseFacts, BaseTree } from '../facts.ts';
import { awaitedPaths } from './awaited.ts';
import { conventionalRoles, fallbackRoles } from './fallback.ts';
import { goRoles } from './go.ts';
import { javascriptRoles, readJavaScriptTree } from './javascript/roles.ts';
import { nativeRoles } from './native/roles.ts';
import { readPythonProjects } from './python/project.ts';
import { pythonRoles } from './python/roles.ts';
import type { ProductMap } from './role.ts';
import { rustRoles } from './rust.ts';
import { type ImportReader, openSources } from './sources.ts';

/** Finds out which files of the base are product. Touches nothing but what it is given. */
export async function mapProduct(tree: BaseTree, facts: BaseFacts, importsOf: ImportReader): Promise<ProductMap> {
  const sources = openSources(tree, facts, importsOf);
  const javascript = readJavaScriptTree(sources);
  const projects = readPythonProjects(sources);
  const known = new Map([
    ...conventionalRoles(sources),
    ...nativeRoles(sources),
    ...(await rustRoles(sources)),
    ...goRoles(sources),
    ...(await pythonRoles(sources, projects)),
    ...(await javascriptRoles(sources, javascript)),
  ]);
  const roles = new Map([...fallbackRoles(sources, known), ...known]);
  const product = [...roles].filter(([, role]) => role.kind === 'product').map(([path]) => path);
  const pythonRoots = [...new Set([...projects.flatMap((project) => project.roots), ...(facts.search_path ?? [])])];
  // A passing test does not need a module that it failed to find; only a failing one may be waiting for it.
  const importers = [
    ...new Set([...facts.failing, ...product.filter((path) => sources.ecosystem(path) === 'javascript')]),
  ];
  const awaited = await awaitedPaths(sources, importers, { javascript, pythonRoots });
  return { roles, awaited };
}
