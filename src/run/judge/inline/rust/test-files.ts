import { posix } from 'node:path';
import type { SyntaxNode } from '../../syntax/node.ts';
import { itemsOf } from './items.ts';
import { isTestItem, testMacrosIn } from './tests.ts';

/**
 * Files that hold test modules of a file, `#[cfg(test)] mod tests;`: where the compiler would look for them. `path`: the
 * file's own, from the root of the tree.
 */
export function rustTestFiles(path: string, root: SyntaxNode): readonly string[] {
  const dir = posix.dirname(path);
  const stem = posix.basename(path, '.rs');
  // `lib.rs`, `main.rs` and `mod.rs` stand for their folder; all others have one of their own name.
  const inside = /^(?:lib|main|mod)$/.test(stem) ? dir : posix.join(dir, stem);
  return modulesBelow(root, testMacrosIn(root), dir, inside);
}

function modulesBelow(
  container: SyntaxNode,
  macros: ReadonlySet<string>,
  dir: string,
  inside: string,
): readonly string[] {
  return itemsOf(container).flatMap((item) => {
    if (item.node.type !== 'mod_item') return [];
    const name = item.node.child('name')?.text ?? '';
    const body = item.node.child('body');
    if (body !== null) return modulesBelow(body, macros, posix.join(inside, name), posix.join(inside, name));
    if (!isTestItem(item, macros)) return [];
    const own = item.attributes
      .map(({ text }) => /^#\[\s*path\s*=\s*"([^"]*)"\s*\]$/.exec(text)?.[1])
      .find((file) => file !== undefined);
    if (own !== undefined) return [posix.join(dir, own)];
    return [posix.join(inside, `${name}.rs`), posix.join(inside, name, 'mod.rs')];
  });
}
