import { extensionOf } from '../deciding/path-parts.ts';
import type { TestFiles } from '../must-fail/locate/site.ts';

/** Where code that others wrote lies, and where programs that use it are started. */
export interface OtherPlace {
  /** Below `node_modules`, as those have it who use it. */
  readonly installed: boolean;
  /** The program is started from a home, not from the directory of the code. */
  readonly away: boolean;
}

const SOURCE = /^[cm]?[jt]sx?$/;
/** Asks where the program was started, or names a file from there. */
const FROM_START =
  /\bcwd\b|\bchdir\b|\bPWD\b|\bpath\s*\.\s*resolve\s*\(\s*[^,()]*\)|\b(?:readFile|writeFile|appendFile|exists|l?stat|readdir|open|access|create(?:Read|Write)Stream|mkdir|rm|unlink|copyFile|glob)\w*\s*\(\s*["'`](?!\/)/;
const LOADED = /\b(?:from|import|require)\s*\(?\s*(["'`])[^"'`\n]*\1/g;
const LITERAL = /(["'`])([^"'`\n]+)\1/g;

/**
 * Another place for JavaScript. Code that knows neither where it lies nor where its program was started works there too. Sources of the base
 * that ask for either, and tests that name files of the tree, keep it where it is.
 */
export function otherPlace(tests: readonly string[], base: TestFiles): OtherPlace {
  const isTest = new Set(tests);
  const texts = base.paths.filter((path) => SOURCE.test(extensionOf(path))).map((path) => base.read(path) ?? '');
  const own = base.paths.filter((path) => isTest.has(path)).map((path) => base.read(path) ?? '');
  return {
    installed: !texts.some((text) => text.includes('node_modules')),
    away: !texts.some((text) => FROM_START.test(text)) && !own.some((text) => namesFiles(text, base.paths)),
  };
}

function namesFiles(text: string, paths: readonly string[]): boolean {
  const named = [...text.replaceAll(LOADED, '').matchAll(LITERAL)].map(([, , literal = '']) =>
    literal.replace(/^\.\//, '').replace(/\/$/, ''),
  );
  return named.some((name) => paths.some((path) => path === name || path.startsWith(`${name}/`)));
}
