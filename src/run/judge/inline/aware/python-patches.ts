import { PYTHON_MODULES, PYTHON_TEST_MODULES } from '../../deciding/table/outside-names.ts';
import type { TestAwareCode } from './aware.ts';

const IMPORT = /^\s*import\s+(.+)$/;
/** One statement, which may go over several lines in parentheses. */
const FROM = /^[ \t]*from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|(.+)$)/gm;
const IMPORTED = /^([\w.]+)(?:\s+as\s+(\w+))?$/;
/** Assignments such as `sys.stdout = x` are ordinary Python. */
const OWN_SETTINGS = new Set(['sys', 'os', 'logging', 'warnings', 'signal', 'readline']);

/** Lines that replace a part of Python or of a test tool, which tests use too. */
export function pythonPatches(code: string): readonly TestAwareCode[] {
  const lines = code.split('\n');
  const names = [...lines.flatMap(importedNames), ...namesFromModules(code)];
  if (names.length === 0) return linesThat(lines, FILE_PATCH);
  const name = `(?:${names.join('|')})`;
  // As `sys.excepthook`, which is looked for elsewhere.
  // A colon may also come before the type of a variable.
  const begin = String.raw`(?:^|;)\s*(?:(?:if|elif|else|for|while|with|try)\b.*:\s*)?`;
  const patch = new RegExp(
    String.raw`${begin}(?!threading\s*\.\s*excepthook\b)${name}(?:\s*\.\s*\w+)+\s*=(?!=)|(?:\b(?:setattr|patch\.object)|__setattr__)\s*\(\s*${name}\b`,
  );
  // The names of a module as a dictionary.
  const table = String.raw`(?:\bvars\s*\(\s*${name}\s*\)|(?<![\w.])${name}\s*\.\s*__dict__)`;
  const entry = new RegExp(String.raw`${table}\s*(?:\[[^\]]{1,80}\]\s*=(?!=)|\.\s*(?:update|__setitem__)\s*\()`);
  return linesThat(lines, patch, entry, FILE_PATCH);
}

/** What tests ask for the files that a product writes. */
const FILE_PATCH =
  /(?:^|;|:)\s*os\s*\.\s*(?:path\s*\.\s*\w+|listdir|scandir|walk|l?stat|access)\s*=(?!=)|\bsetattr\s*\(\s*os\s*\.\s*path\b/;

function linesThat(lines: readonly string[], ...patterns: readonly RegExp[]): readonly TestAwareCode[] {
  return lines.flatMap((line, index) =>
    patterns.some((pattern) => pattern.test(line))
      ? [{ kind: 'assertion' as const, line: index + 1, text: line.trim() }]
      : [],
  );
}

/** The names under which a line imports such modules. */
function importedNames(line: string): readonly string[] {
  return (IMPORT.exec(line)?.[1] ?? '').split(/[,;]/).flatMap((part) => {
    const [, module = '', alias] = IMPORTED.exec(part.trim()) ?? [];
    const [top = ''] = module.split('.');
    return isPartOfTests(top) ? [alias ?? top] : [];
  });
}

/** `from pathlib import Path as P` makes `P` known. */
function namesFromModules(code: string): readonly string[] {
  return [...code.matchAll(FROM)].flatMap(([, module = '', several, rest]) => {
    if (!isPartOfTests(module.split('.')[0] ?? '')) return [];
    return (several ?? rest ?? '').split(/[,;]/).flatMap((part) => {
      const [, name, alias] = IMPORTED.exec(part.trim()) ?? [];
      return alias ?? name ?? [];
    });
  });
}

const isPartOfTests = (module: string): boolean =>
  (PYTHON_MODULES.has(module) || PYTHON_TEST_MODULES.has(module)) && !OWN_SETTINGS.has(module);
