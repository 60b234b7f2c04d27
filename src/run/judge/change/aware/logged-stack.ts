import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';

const PRINTS = /^debug\.PrintStack\(\)$/;
const LOGS = /^s?log\.(?:Print|Fatal|Panic|Error|Warn|Info|Debug)\w*\(([^()]*)\)$/;
/** Another log stands behind the name, or what is logged may be read again. */
const REDIRECTS = /\bSet(?:Output|Default)\b|\bos\s*\.\s*Std(?:err|out)\s*=(?!=)|\bs?log\s*:?=(?!=)|\bs?log\s+"/;

const IMPORTS_LOG = /^\s*(?:import\s+)?"log(?:\/slog)?"\s*$/m;
const IMPORTS_OTHER = /(?<!"log)\/s?log"/;

/**
 * A stack in Go that is only given to the log, as a server does after a panic. Nothing is searched in it, so the code cannot learn
 * who called it.
 */
export function onlyLogsStack(
  { path, text }: AwareLine,
  { paths, read }: Pick<ReadableTree, 'paths' | 'read'>,
): boolean {
  if (!path.endsWith('.go')) return false;
  const plain = text
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replaceAll(/\bstring\(debug\.Stack\(\)\)|\bdebug\.Stack\(\)/g, 'STACK');
  if (!PRINTS.test(text) && LOGS.exec(plain)?.[1]?.includes('STACK') !== true) return false;
  const own = read(path) ?? '';
  if (!PRINTS.test(text) && (!IMPORTS_LOG.test(own) || IMPORTS_OTHER.test(own))) return false;
  return !paths.some((one) => /(?<!_test)\.go$/.test(one) && REDIRECTS.test(read(one) ?? ''));
}
