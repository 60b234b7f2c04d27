import { isNearProduct } from '../context.ts';
import { decideFile, type FileDecision } from '../decision.ts';
import { extensionOf, enclosingDirs, liesBelow, nameOf, parentOf } from '../path-parts.ts';
import { decides, classifyBaseFile } from '../classify-base-file.ts';
import { isAgentFile, isCiFile, isDocument, isStyleSettings, setsAgent } from '../table/table.ts';
import { bringsInlineTests, inTestDir, isTestName } from '../test-names.ts';
import { type AddedContext, doubleEnding, foldCase } from './context.ts';
import { awaitedBy, wasLookedFor } from './lookups.ts';
import { mockedModule } from './mocks.ts';
import { isToolOutput } from './outputs.ts';
import { plantedPackage } from './packages.ts';
import { decidePlanted } from './planted-settings.ts';
import { shadowedName } from './shadows.ts';
import { decidingAmong, hiddenBy } from './siblings.ts';

/** Decides on a path that the base does not have. */
export function decideAdded(path: string, context: AddedContext): FileDecision {
  const { base, ignored } = context;
  if (base.isProtected(path)) return decideFile(path, 'protected_file');
  const replaced = replacedFile(path, context);
  if (replaced !== null) return decideFile(path, 'replaces_deciding', replaced);
  if (ignored.has(path)) return decideFile(path, 'ignored_output');
  if (isCiFile(path)) return decideFile(path, 'ci_settings');
  if (isAgentFile(path) || setsAgent(path, '', context.text(path))) return decideFile(path, 'agent_settings');
  if (isToolOutput(path, base, context.added)) return decideFile(path, 'tool_cache');
  if (base.written.has(path)) return decideFile(path, 'written_by_run');
  if (nameOf(path) === '.gitignore') return decideFile(path, 'ignore_rules');
  return decidePower(path, context) ?? decideOrdinary(path, context);
}

/** New files that would change how the base's tests run. */
function decidePower(path: string, context: AddedContext): FileDecision | null {
  const { base, names, deleted } = context;
  const planted = plantedPackage(path, base);
  if (planted !== null) return decideFile(path, planted === 'own' ? 'tool_cache' : 'planted_package');
  const shadowed = shadowedName(path, context);
  if (shadowed !== null) return decideFile(path, 'shadows_module', shadowed);
  const settings = decidePlanted(path, context);
  if (settings !== null) return settings;
  if (isTestPackage(path, context)) return decideFile(path, 'test_package_code');
  const hidden = decidingAmong(hiddenBy(path, names), base);
  const [stays] = hidden.filter((one) => !deleted.has(one));
  if (stays !== undefined) return decideFile(path, 'shadows_deciding', stays);
  if (hidden.length > 0) return { ...decideFile(path, 'new_test_support'), replaces: hidden };
  const mocked = mockedModule(path, context);
  if (mocked !== null) return decideFile(path, 'mock_planted', mocked);
  const twin = twinInOtherCase(path, context);
  if (twin !== null) return decideFile(path, 'differs_in_case', twin);
  const importer = awaitedBy(path, base);
  if (importer !== null) return decideFile(path, 'awaited_module', importer);
  return !isBarePackage(path, context) && wasLookedFor(path, context) ? decideFile(path, 'looked_for') : null;
}

function decideOrdinary(path: string, context: AddedContext): FileDecision {
  if (bringsInlineTests(path, context.text(path))) return decideFile(path, 'inline_tests');
  if (context.imported.has(path)) return decideFile(path, 'product_code');
  if (isTestName(path) || sharesEndingOfTests(path, context)) return decideFile(path, 'new_test');
  const neighbours = neighboursOf(path, context);
  if (neighbours === 'tests' || (inTestDir(path) && neighbours !== 'product'))
    return decideFile(path, 'new_test_support');
  if (isStyleSettings(path)) return decideFile(path, 'style_settings');
  return decideFile(path, isDocument(path) ? 'document' : 'new_file');
}

/** A deciding file of the base that cannot exist beside this path: it is below the path, or a file where the path needs a directory. */
function replacedFile(path: string, { base }: AddedContext): string | null {
  const below = base.index.dirs.has(path) ? base.base.paths.filter((one) => liesBelow(one, path)) : [];
  const above = enclosingDirs(path).filter((dir) => base.index.files.has(dir));
  return [...below, ...above].find((one) => classifyBaseFile(one, base).deciding !== 'patch') ?? null;
}

/** `__init__.py` in a directory of tests: code in it runs before every test there. */
function isTestPackage(path: string, { base, text }: AddedContext): boolean {
  return (
    isInitFile(path) &&
    [...base.collected].some((test) => liesBelow(test, parentOf(path))) &&
    !isBlank(text(path)) &&
    !isProductDir(path, base.productDirs)
  );
}

function isBarePackage(path: string, { text }: AddedContext): boolean {
  return isInitFile(path) && isBlank(text(path));
}

const isInitFile = (path: string): boolean => nameOf(path) === '__init__.py';
/** Only comments and one docstring. An encoding declaration can turn a comment into code. */
const isBlank = (text: string): boolean =>
  text
    .replaceAll(/^[ \t]*#(?!.*coding[:=](?!\s*utf-?8\b)).*$/gm, '')
    .replace(/^\s*("""[^]*?"""|'''[^]*?'''|"[^"\n]*")/, '')
    .trim() === '';
const isProductDir = (path: string, dirs: ReadonlySet<string>): boolean => dirs.has(parentOf(path));

/** A deciding file, or a directory with deciding files, that differs from this path only by case. */
function twinInOtherCase(path: string, { base, byFold, deleted }: AddedContext): string | null {
  const dirs = enclosingDirs(path).filter((dir) => !base.index.dirs.has(dir));
  const twins = [path, ...dirs].flatMap((one) => byFold.get(foldCase(one)) ?? []);
  return twins.find((one) => !deleted.has(one) && decides(one, base)) ?? null;
}

/** `slug.check.js` beside collected `url.check.js`: the runner may collect it, whatever the pattern is. */
function sharesEndingOfTests(path: string, { testEndings }: AddedContext): boolean {
  const ending = doubleEnding(path);
  return ending !== null && testEndings.has(ending);
}

/** The role of files of the same kind in the directory of a new file, which is probably like them. */
function neighboursOf(path: string, { base, filesIn, listed }: AddedContext): 'tests' | 'product' | null {
  const dir = parentOf(path);
  const alike = (filesIn.get(dir) ?? []).filter((one) => extensionOf(one) === extensionOf(path));
  const kinds = new Set(alike.map((one) => classifyBaseFile(one, base).kind));
  if (kinds.has('product') || kinds.has('merged')) return 'product';
  if (dir === '') return null;
  if (kinds.has('no_vote') || kinds.has('both')) return 'tests';
  // The first file of its kind in a directory that the run lists: the run may be looking for such files.
  return alike.length === 0 && listed.has(dir) && !isNearProduct(path, base) ? 'tests' : null;
}
