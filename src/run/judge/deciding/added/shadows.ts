import { builtinModules } from 'node:module';
import type { BaseContext } from '../context.ts';
import { parseJsonc, valueAt } from '../manifest-text.ts';
import { extensionOf, nameOf, parentOf, pathWithin, stemOf } from '../path-parts.ts';
import { HEADERS, PROGRAMS, PYTHON_MODULES, PYTHON_TEST_MODULES } from '../table/outside-names.ts';
import { moduleKeys } from './module-keys.ts';
import type { AddedContext } from './context.ts';

/** The module, header or program from outside the tree in whose place a new file would be loaded. Null: none. */
export function shadowedName(path: string, context: AddedContext): string | null {
  const { base } = context;
  return (
    shadowedPython(path, context) ??
    shadowedScript(path, context) ??
    shadowedPackage(path, context.text(path), base) ??
    // Lookups of headers and programs are seen by a trace, which then knows better than a list.
    (base.seesLookups ? null : (shadowedHeader(path, base) ?? shadowedProgram(path, base)))
  );
}

function shadowedPython(path: string, { base, names, pythonRoots }: AddedContext): string | null {
  if (!base.uses('python')) return null;
  const key =
    moduleKeys(path).find((one) => one.key.startsWith('python:'))?.key ??
    (extensionOf(path) === '' ? `python:${path}` : null);
  // A module that the base already has under this name is what tests load already.
  if (key === null || (names.get(key) ?? []).length > 0) return null;
  const module = key.slice('python:'.length);
  const name = nameOf(module);
  if (!pythonRoots.has(parentOf(module))) return null;
  const isOutside = base.facts.outside_modules.some((one) => one.split('.')[0] === name);
  return isOutside || PYTHON_MODULES.has(name) || PYTHON_TEST_MODULES.has(name) ? name : null;
}

function shadowedScript(path: string, { base, names, scriptRoots }: AddedContext): string | null {
  const stem = moduleKeys(path)
    .find((one) => one.key.startsWith('script:'))
    ?.key.slice('script:'.length);
  if (!base.uses('javascript') || stem === undefined || (names.get(`script:${stem}`) ?? []).length > 0) return null;
  for (const root of scriptRoots) {
    const name = pathWithin(stem, root)?.replace(/\/index$/, '');
    if (name === undefined) continue;
    if (builtinModules.includes(name) || base.facts.outside_modules.some((one) => bareName(one) === name)) return name;
  }
  return null;
}

const bareName = (module: string): string => module.replace(/^node:/, '');

/** A new package of a workspace is installed under its name, in place of the package that has it now. */
function shadowedPackage(path: string, text: string, { facts }: BaseContext): string | null {
  const name = nameOf(path) === 'package.json' ? valueAt(parseJsonc(text), ['name']) : null;
  return typeof name === 'string' && facts.outside_modules.includes(name) ? name : null;
}

function shadowedHeader(path: string, { uses, index }: BaseContext): string | null {
  if (!uses('c') || !/^(?:h|hh|hpp|)$/.test(extensionOf(path)) || !HEADERS.has(stemOf(path))) return null;
  const isKnown = [...index.files].some((one) => nameOf(one) === nameOf(path));
  return isKnown ? null : nameOf(path);
}

/** Tests find programs on a PATH that may begin with a directory of the tree. */
function shadowedProgram(path: string, { index }: BaseContext): string | null {
  return extensionOf(path) === '' && PROGRAMS.has(nameOf(path)) && !index.files.has(path) ? nameOf(path) : null;
}
