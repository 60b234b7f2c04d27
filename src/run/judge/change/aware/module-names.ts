import type { FileDecision } from '../../deciding/decision.ts';
import { parse } from '../../syntax/parse.ts';
import type { AwareLine } from './aware-line.ts';
import type { ReadableTree } from '../trees/base-tree.ts';

const FRAME = String.raw`(?:\b_?sys\s*\.\s*_getframe\s*\([\w\s+]*\)|\b(?:inspect\s*\.\s*)?currentframe\s*\(\s*\))(?:\s*\.\s*f_back\b)*`;
const NAME_IN_GLOBALS = String.raw`\s*\.\s*f_globals\s*(?:\.\s*get\s*\(\s*["']__name__["']\s*(?:,\s*["']\w*["']\s*)?\)|\[\s*["']__name__["']\s*\])`;
const MODULE_NAME = String.raw`\b_?sys\s*\.\s*_getframemodulename\s*\([\w\s+]*\)`;
const OR_ANOTHER = String.raw`(?:\s*or\s*["']\w*["'])?`;
const TARGET = String.raw`(?:\.\s*__module__|\[\s*["']__module__["']\s*\])\s*=\s*`;
const FACTORY = String.raw`\b(?:namedtuple|(?:Int|Str)?Enum|(?:Int)?Flag|make_dataclass)\s*\([^\n]*?\bmodule\s*=\s*`;
/** Asks for a frame, or reads `__module__`. */
const LEFT_OVER =
  /\b(?:_getframe\w*|currentframe|f_back|f_globals|f_code|f_locals|f_lineno|__module__|getmodule(?:name)?)\b/;

/**
 * Whether Python code inspects its caller only to set the `__module__` of a class, as `namedtuple` does so that its classes can be
 * pickled, and uses neither the frame nor the name nor any `__module__` for anything else.
 */
async function onlyNamesModules(text: string): Promise<boolean> {
  const code = await withoutProse(text);
  const frames = assigned(code, FRAME);
  const frame = `(?:${[FRAME, ...frames.map((name) => `\\b${name}\\b(?:\\s*\\.\\s*f_back\\b)*`)].join('|')})`;
  const value = `(?:${frame}${NAME_IN_GLOBALS}|${MODULE_NAME})${OR_ANOTHER}`;
  const names = assigned(code, value);
  const name = names.length === 0 ? value : `(?:${value}|\\b(?:${names.join('|')})\\b)`;
  const rest = [
    `${TARGET}${name}[ \\t]*$`,
    `["']__module__["']\\s*:\\s*${name}(?=\\s*[,}])`,
    `${FACTORY}${name}(?=\\s*[,)])`,
    ...names.flatMap((one) => [
      `\\b${one}\\s*=\\s*${value}[ \\t]*$`,
      `\\b${one}\\b(?:\\s*:[^=,)\\n]*)?\\s*=\\s*None\\b`,
      `\\bif\\s+(?:not\\s+)?${one}(?:\\s+is(?:\\s+not)?\\s+None)?\\s*:`,
    ]),
    ...frames.flatMap((one) => [
      `\\b${one}\\s*=\\s*${FRAME}[ \\t]*$`,
      `\\bdel\\s+${one}\\b`,
      `\\bif\\s+${one}\\s+is\\s+not\\s+None\\s*:`,
    ]),
  ].reduce((left, form) => left.replaceAll(new RegExp(form, 'gm'), ' '), code);
  return !LEFT_OVER.test(rest) && [...names, ...frames].every((one) => !new RegExp(`\\b${one}\\b`).test(rest));
}

/** Variables that are only ever assigned this value. */
function assigned(code: string, value: string): readonly string[] {
  const lines = code.matchAll(new RegExp(`^[ \\t]*([A-Za-z_]\\w*)\\s*=\\s*(?:${value})[ \\t]*$`, 'gm'));
  return [...new Set([...lines].map(([, name = '']) => name))];
}

/** Removes comments and docstrings, which do not run. */
async function withoutProse(text: string): Promise<string> {
  const root = (await parse('python', text))?.root;
  const prose = [...(root?.ofType('comment', 'expression_statement') ?? [])].filter(
    ({ type, parts }) =>
      type === 'comment' || (parts.length === 1 && parts[0]?.type === 'string' && !/^[^"']*f/i.test(parts[0].text)),
  );
  return prose.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

/** Lines that inspect the caller only for that; no file of the change may read any `__module__`. */
export async function modulesOfCallers(
  lines: readonly AwareLine[],
  decisions: readonly FileDecision[],
  deciding: Pick<ReadableTree, 'read'>,
): Promise<readonly AwareLine[]> {
  const asking = lines.filter(({ kind, path }) => kind === 'caller' && path.endsWith('.py'));
  if (asking.length === 0) return [];
  const changed = decisions.filter(({ path, deciding: version }) => version !== 'base' && path.endsWith('.py'));
  const allow = await Promise.all(changed.map(({ path }) => onlyNamesModules(deciding.read(path) ?? '')));
  return allow.every(Boolean) ? asking : [];
}
