import { nameOf, parentOf } from '../../deciding/path-parts.ts';
import { importsOf } from '../../syntax/imports.ts';

/** The name by which other files import it: in Go, that of its package. */
export function moduleName(path: string): string {
  const stem = nameOf(path).replace(/\.\w+$/, '');
  return path.endsWith('.go') || /^(?:__init__|index|mod)$/.test(stem) ? nameOf(parentOf(path)) : stem;
}

/** The last part of every module that a file imports, and the names that it takes from them. */
export async function importedNames(path: string, text: string): Promise<readonly string[]> {
  const specs = (await importsOf(path, text)) ?? [];
  return specs.flatMap(({ specifier, names }) => [
    ...specifier.split(/[/.:]+/).filter((part) => part !== ''),
    ...names,
  ]);
}
