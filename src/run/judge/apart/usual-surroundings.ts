import { openBaseFiles } from '../command/base-files.ts';
import { readTestPlan } from '../command/plan.ts';
import { nameOf } from '../deciding/path-parts.ts';
import type { ApartTree } from './run-apart.ts';

const OF_JAVASCRIPT =
  /^--?(?:run|ci|silent|verbose|coverage\b.*|no-coverage|reporters?\b.*|R|bail\b.*|runInBand|i|maxWorkers\b.*|forceExit|detectOpenHandles|no-cache|exit|recursive|timeout\b.*|t|colors?|no-colors?|passWithNoTests|globals|serial|s|tap|check-leaks|parallel|p)$/;
/** Options that change the output or the speed, but not the code under test. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  vitest: OF_JAVASCRIPT,
  jest: OF_JAVASCRIPT,
  mocha: OF_JAVASCRIPT,
  ava: OF_JAVASCRIPT,
  go: /^--?(?:v|count|timeout|short|race|failfast|p|parallel|cover\w*|json|vet|run|shuffle)(?:=.*)?$/,
  cargo:
    /^--?(?:lib|tests?|all-targets|workspace|all|q|quiet|v+|verbose|locked|offline|frozen|no-fail-fast|doc)(?:=.*)?$/,
  bats: /^--?(?:r|recursive|p|pretty|t|tap|T|timing|j|jobs\b.*|print-output-on-failure|verbose-run)$/,
};
const SETTINGS = /^(?:(?:vitest|vite|jest|ava|babel)\.config\.\w+|\.mocharc\b.*|\.babelrc\b.*|vitest\.workspace\.\w+)$/;
/** Settings that give the code more than Node.js itself has, or that transform it first. */
const OTHER_SURROUNDINGS =
  /[eE]nvironment\b|\bsetupFiles\w*|\bglobalSetup\b|\bmoduleNameMapper\b|\bmodulePaths\b|\broots\b|\bdefine['"]?\s*:|\bplugins['"]?\s*:|\bpresets?\b|\btransform\b|\balias\b|\bresolver?['"]?\s*:|\brequire['"]?\s*:|['"]?\b(?:file|import|loader|nodeArguments|environmentVariables)['"]?\s*:/;

/** Whether the tests need nothing but their runner: no options, variables, settings or plug-ins that the code would lack without it. */
export function hasUsualSurroundings(runner: string, testCommand: string, base: ApartTree): boolean {
  const plan = readTestPlan(testCommand, openBaseFiles({ workspace: base.dir }));
  if (plan.kind !== 'steps' || plan.steps.length !== 1) return false;
  const { args = [], env = {}, dir = '', entry } = plan.steps[0]?.command ?? {};
  if (Object.keys(env).length > 0 || dir !== '' || entry !== undefined) return false;
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (own.some((word) => word.startsWith('-') && HARMLESS[runner]?.test(word) !== true)) return false;
  return HARMLESS[runner] !== OF_JAVASCRIPT || !settingsOf(runner, base).some((text) => OTHER_SURROUNDINGS.test(text));
}

function settingsOf(runner: string, { paths, read }: ApartTree): readonly string[] {
  const files = paths.filter((path) => SETTINGS.test(nameOf(path))).map((path) => read(path) ?? '');
  const [own, babel] = [runner, 'babel'].map((key) => keyOfPackage(read('package.json') ?? '', key));
  return [...files, own ?? '', babel === undefined || babel === '' ? '' : 'presets'];
}

function keyOfPackage(text: string, key: string): string {
  try {
    const fields: unknown = JSON.parse(text);
    const value = new Map<string, unknown>(Object.entries(fields ?? {})).get(key);
    return value === undefined ? '' : JSON.stringify(value);
  } catch {
    return '';
  }
}
