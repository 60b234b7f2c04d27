import { plural } from '../../evidence/report/render/text/words.ts';

const MISSING: readonly RegExp[] = [
  /\bNo module named ['"]([\w.]+)['"]/,
  /\bCannot find (?:module|package) ['"]([^'"\n]+)['"]/,
  /\bFailed to resolve import ["']([^"'\n]+)["']/,
  /\bno required module provides package (\S+?);/,
  /\bcan't find crate for `([^`]+)`/,
];

/** What keeps test files from being loaded, and what to try. `output`: what the tests printed; null: not at hand. */
export function loadHints(
  unloaded: readonly string[],
  output: string | null,
  { paths, testCommand }: { readonly paths: readonly string[]; readonly testCommand: string },
): string[] {
  if (unloaded.length === 0) return [];
  const found = MISSING.map((pattern) => pattern.exec(output ?? '')?.[1]).find((name) => name !== undefined);
  const count = `${plural(unloaded.length, 'test file')} ${unloaded.length === 1 ? 'does' : 'do'} not load`;
  if (found === undefined)
    return [
      count,
      `run \`${testCommand}\` by hand to see why; what it needs can be installed with --setup '<command>'`,
    ];
  const dir = dirOfModule(found, paths);
  const next =
    dir === null
      ? `if it has to be installed, say how: seatrial init --setup '<command>' (${installing(testCommand, found)})`
      : `it lies in ${dir}/; say where: seatrial init --test 'PYTHONPATH=${dir} ${testCommand.replace(/^PYTHONPATH=\S+ /, '')}'`;
  return [`${count}: ${found} is not found`, next];
}

/** The directory that a Python module of the repository is imported from. */
function dirOfModule(module: string, paths: readonly string[]): string | null {
  const top = module.split('.')[0] ?? '';
  const path = paths.find((one) => one.endsWith(`/${top}.py`) || one.endsWith(`/${top}/__init__.py`));
  return path === undefined ? null : path.slice(0, path.lastIndexOf(`/${top}`));
}

function installing(testCommand: string, module: string): string {
  if (/\bpython|\bpytest\b/.test(testCommand)) return `such as "pip install -e ." or "pip install ${module}"`;
  if (/\bgo\b/.test(testCommand)) return 'such as "go mod download"';
  return /\bcargo\b/.test(testCommand) ? 'such as "cargo fetch"' : 'such as "npm install"';
}
