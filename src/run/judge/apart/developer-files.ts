import { isBuiltin } from 'node:module';
import { extensionOf, nameOf, parentOf } from '../deciding/path-parts.ts';
import type { TestFiles } from '../must-fail/locate/site.ts';

/** Files that only developers have: settings of tools, lockfiles, documents, git settings. */
const FOR_DEVELOPERS =
  /^(?:\..*|.*lock(?:\.(?:json|yaml|toml))?|.*\.(?:lock|md|rst|lockb)|.*\.config\.[cm]?[jt]s|tsconfig.*\.json|npm-shrinkwrap\.json|(?:tox|pytest|setup|mypy)\.(?:ini|cfg)|requirements.*\.txt|Makefile|LICENSE.*|COPYING.*)$/i;

/**
 * Files at the top of a tree that the code does not need. They are left out, so that code cannot detect a checkout by them. Files that the base's sources name are kept.
 */
export function developerFiles(tree: TestFiles, base: TestFiles): readonly string[] {
  const top = tree.paths.filter((path) => parentOf(path) === '' && FOR_DEVELOPERS.test(path));
  const sources = base.paths.filter((path) => SOURCE.test(extensionOf(path))).map((path) => base.read(path) ?? '');
  return top.filter((path) => !sources.some((text) => text.includes(path)));
}

const SOURCE = /^(?:[cm]?[jt]sx?|py|sh|bash)$/;
const LOADED = /(?:\bfrom|\brequire\s*\(|\bimport\s*\(|\bimport)\s*["'`]([^."'`/][^"'`]*)["'`]/g;
/** Code of tools and tests: what it loads is not loaded by the product. */
const TOOL_OR_TEST_FILE = /(?:^|\/)(?:tests?|__tests__|specs?|node_modules)\/|\.(?:test|spec|config)\.[cm]?[jt]sx?$/;

/** Whether product code loads an installed package. */
export function usesPackages({ paths, read }: TestFiles): boolean {
  return paths.some((path) => {
    if (!/^[cm]?[jt]sx?$/.test(extensionOf(path)) || TOOL_OR_TEST_FILE.test(path) || nameOf(path).startsWith('.'))
      return false;
    return [...(read(path) ?? '').matchAll(LOADED)].some(([, name = '']) => !isBuiltin(name));
  });
}
