import { extensionOf, nameOf, parentOf } from '../path-parts.ts';

/** The name under which a module is imported, and which file wins when several have it. */
export interface ModuleKey {
  readonly key: string;
  /** Lower numbers win. Equal numbers: tools differ. */
  readonly rank: number;
}

const PYTHON_ENDING = /(?:\.cpython-[\w-]+|\.abi3|\.cp\d+-[\w-]+)?\.(?:so|pyd)$|\.pyc?$/;
const SCRIPT_ENDING = /\.(?:[cm]?[jt]sx?|vue|svelte|json|node|wasm)$/;

/** Under which names a file can be imported, language by language. */
export function moduleKeys(path: string): readonly ModuleKey[] {
  const name = nameOf(path);
  const dir = parentOf(path);
  const keys: ModuleKey[] = [];
  if (PYTHON_ENDING.test(name)) keys.push(pythonKey(path, name, dir));
  if (SCRIPT_ENDING.test(name)) keys.push(...scriptKeys(path, name, dir));
  if (name.endsWith('.rs')) keys.push({ key: `rust:${name === 'mod.rs' ? dir : path.slice(0, -3)}`, rank: 0 });
  if (extensionOf(path) === '') keys.push({ key: `script:${path}`, rank: 0 }, { key: `shell:${path}`, rank: 0 });
  if (/\.(?:bash|sh)$/.test(name)) keys.push({ key: `shell:${path.replace(/\.\w+$/, '')}`, rank: 1 });
  return keys;
}

/** A package wins over an extension module, that over source, that over bytecode. */
function pythonKey(path: string, name: string, dir: string): ModuleKey {
  const isPackage = name.startsWith('__init__.');
  const rank = isPackage ? 0 : /\.(?:so|pyd)$/.test(name) ? 1 : name.endsWith('.py') ? 2 : 3;
  return {
    key: `python:${isPackage ? dir : path.slice(0, path.length - (PYTHON_ENDING.exec(name)?.[0].length ?? 0))}`,
    rank,
  };
}

/** A file wins over a directory's index, code over JSON; among code files every tool has an order of its own. */
function scriptKeys(path: string, name: string, dir: string): readonly ModuleKey[] {
  if (name === 'package.json') return [{ key: `script:${dir}`, rank: 3 }];
  const stem = path.replace(SCRIPT_ENDING, '');
  const rank = /\.(?:json|node|wasm)$/.test(name) ? 2 : 1;
  const asIndex = nameOf(stem) === 'index' ? [{ key: `script:${dir}`, rank: 4 }] : [];
  // `import './a.js'` also finds `a.js.ts`, and `./a` finds a file of just that name.
  return [{ key: `script:${stem}`, rank }, { key: `script:${path}`, rank: 0 }, ...asIndex];
}
