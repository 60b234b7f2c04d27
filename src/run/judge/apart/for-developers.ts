import { isBuiltin } from 'node:module';
import type { BenchRequest } from '../base/bench.ts';
import { extensionOf, nameOf, parentOf } from '../deciding/path-parts.ts';
import { WORKSPACE } from '../sandbox/layout.ts';
import type { ApartTree } from './run-apart.ts';

/** Files that only those have who work on the code: settings of tools, lockfiles, documents, what git is told. */
const FOR_DEVELOPERS =
  /^(?:\..*|.*lock(?:\.(?:json|yaml|toml))?|.*\.(?:lock|md|rst|lockb)|.*\.config\.[cm]?[jt]s|tsconfig.*\.json|npm-shrinkwrap\.json|(?:tox|pytest|setup|mypy)\.(?:ini|cfg)|requirements.*\.txt|Makefile|LICENSE.*|COPYING.*)$/i;

/**
 * Files at the top of a tree that are of no use to the code itself. What the base's sources name, they may read. Code that looks for such
 * files to learn where it runs does not find them.
 */
export function filesForDevelopers(tree: ApartTree, base: ApartTree): readonly string[] {
  const top = tree.paths.filter((path) => parentOf(path) === '' && FOR_DEVELOPERS.test(path));
  const sources = base.paths.filter((path) => SOURCE.test(extensionOf(path))).map((path) => base.read(path) ?? '');
  return top.filter((path) => !sources.some((text) => text.includes(path)));
}

const SOURCE = /^(?:[cm]?[jt]sx?|py|sh|bash)$/;
const LOADED = /(?:\bfrom|\brequire\s*\(|\bimport\s*\(|\bimport)\s*["'`]([^."'`/][^"'`]*)["'`]/g;
/** Code of tools and of tests: what it loads is not loaded by the product. */
const OF_TOOLS = /(?:^|\/)(?:tests?|__tests__|specs?|node_modules)\/|\.(?:test|spec|config)\.[cm]?[jt]sx?$/;

/** Whether code of the product loads something that is installed beside it. */
export function usesPackages({ paths, read }: ApartTree): boolean {
  return paths.some((path) => {
    if (!/^[cm]?[jt]sx?$/.test(extensionOf(path)) || OF_TOOLS.test(path) || nameOf(path).startsWith('.')) return false;
    return [...(read(path) ?? '').matchAll(LOADED)].some(([, name = '']) => !isBuiltin(name));
  });
}

const isOfPackages = (path: string): boolean => /(?:^|\/)node_modules(?:\/|$)/.test(path);

/** The same without the packages of Node.js that were installed into the tree. */
export function withoutPackages(request: BenchRequest): BenchRequest {
  const { products, readOnly = [] } = request;
  const isKept = ({ target }: { readonly target: string }): boolean =>
    !target.startsWith(`${WORKSPACE}/`) || !isOfPackages(target);
  return {
    ...request,
    readOnly: readOnly.filter(isKept),
    products:
      products === null
        ? null
        : {
            ...products,
            mounts: products.mounts.filter(isKept),
            dirs: new Map([...products.dirs].filter(([dir]) => !isOfPackages(dir))),
          },
  };
}
