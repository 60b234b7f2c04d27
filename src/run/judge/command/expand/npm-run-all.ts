import picomatch from 'picomatch';
import { type Expander, quoteWord } from './expansion.ts';
import { readPackage } from './package-json.ts';

const PROGRAM = /^(?:node_modules\/\.bin\/)?(?:npm-run-all2?|run-s|run-p)$/;
const HARMLESS =
  /^(?:-[slnp]|--(?:silent|serial|sequential|parallel|print-label|print-name|npm-path=.*|max-parallel=\d+))$/;

/** `run-s build test:*`: the scripts that the names stand for, one after the other. */
export const expandNpmRunAll: Expander = (line, dir, files) => {
  const [program = '', ...args] = line.words;
  if (!PROGRAM.test(program)) return null;
  const names = args.filter((word) => !HARMLESS.test(word));
  if (names.some((name) => /^-|[{}]|\s/.test(name))) return null;
  const scripts = Object.keys(readPackage(files, dir).scripts ?? {});
  const wanted = names.map((name) => scripts.filter((script) => matches(script, name)));
  if (wanted.some((found) => found.length === 0)) {
    return { kind: 'missing', what: `no script in package.json matches: ${line.words.join(' ')}` };
  }
  const texts = [...new Set(wanted.flat())].map((script) => ({ text: `npm run ${quoteWord(script)}`, dir }));
  return { kind: 'texts', texts, usesNode: true };
};

/** A colon separates, as a slash does in paths. */
function matches(script: string, pattern: string): boolean {
  return picomatch.isMatch(script.replaceAll(':', '/'), pattern.replaceAll(':', '/'));
}
