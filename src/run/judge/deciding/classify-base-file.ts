import { type BaseContext, isNearProduct } from './context.ts';
import { dataStanding } from './data-files.ts';
import { type FileDecision, decideFile } from './decision.ts';
import { nameOf, parentOf } from './path-parts.ts';
import { isInstalled } from './product/packages.ts';
import { MANIFEST_NAMES } from './table/dependencies.ts';
import {
  governedDir,
  isAgentFile,
  isCacheFile,
  isCiFile,
  isDependencyList,
  isDocument,
  isManifest,
  isStyleSettings,
  settingsRuleOf,
} from './table/table.ts';
import { inOwnTestDir, inTestDir, isTestName } from './test-names.ts';

/** How any change to a base file is treated. Depends only on the base, so a patch cannot influence it. */
export function classifyBaseFile(path: string, context: BaseContext): FileDecision {
  const { collected, starts, before, read, linksPassed } = context;
  if (context.isProtected(path)) return decideFile(path, 'protected_file');
  if (isCiFile(path)) return decideFile(path, 'ci_settings');
  if (isAgentFile(path)) return decideFile(path, 'agent_settings');
  if (collected.has(path)) return decideFile(path, holdsInlineTests(path, context) ? 'inline_tests' : 'collected_test');
  const role = context.role(path);
  if (isInstalled(path)) return decideFile(path, 'vendored');
  const isProduct = role?.kind === 'product' && role.certain && !starts.has(path);
  // Inside product directories, a source file may be named like a settings file.
  if (isProduct && isSourceInside(path, context)) return decideFile(path, role.why);
  const settings = settingsStanding(path, context);
  if (settings !== null) return settings;
  if (isProduct) return decideFile(path, role.why);
  if (starts.has(path)) return decideFile(path, 'starts_runner');
  if (before.has(path)) return decideFile(path, writesForTests(path, context) ? 'writes_for_tests' : 'generator');
  if (linksPassed.has(path)) return decideFile(path, 'link_passed');
  if (role?.kind === 'product') return decideFile(path, role.why);
  if (role?.kind === 'support') return decideFile(path, role.why, role.detail);
  if (role?.kind === 'doubtful')
    return context.seesReads && !read.has(path)
      ? decideFile(path, 'not_read')
      : decideFile(path, role.why, role.detail);
  if (context.written.has(path)) return decideFile(path, 'written_by_run');
  return otherStanding(path, context);
}

/** Its output may be tests, or what tests expect. */
function writesForTests(path: string, { base, written }: BaseContext): boolean {
  const text = base.read(path) ?? '';
  return [...written].some(
    (one) => (inTestDir(one) || isTestName(one)) && !isCacheFile(one) && text.includes(nameOf(one)),
  );
}

function isSourceInside(path: string, { ecosystem, index }: BaseContext): boolean {
  const dir = parentOf(path);
  const isPackageRoot = MANIFEST_NAMES.some((name) => index.files.has(dir === '' ? name : `${dir}/${name}`));
  return dir !== '' && !isPackageRoot && ecosystem(path) !== null;
}

/** Product files with tests in them: Rust's unit tests, doctests, in-source tests. */
function holdsInlineTests(path: string, { role, facts }: BaseContext): boolean {
  if (isTestName(path) || inOwnTestDir(path)) return false;
  const own = role(path);
  return (own?.kind === 'product' && own.certain) || facts.doctested.includes(path);
}

/** Manifests, dependency lists and known settings. Those in test fixtures are ordinary data. */
function settingsStanding(path: string, context: BaseContext): FileDecision | null {
  const dir = governedDir(path);
  if (!context.governs(dir) && inTestDir(path)) return null;
  if (isManifest(path)) return decideFile(path, 'manifest');
  const rule = settingsRuleOf(path, context.uses);
  if (rule !== null && rule.changed === 'used') {
    const used =
      !context.seesReads || context.read.has(path) || context.lookedFor.has(path) || context.starts.has(path);
    return decideFile(path, used ? 'settings_changed' : 'settings_not_read', rule.what);
  }
  return isDependencyList(path) && !inTestDir(path) ? decideFile(path, 'dependency_list') : null;
}

function otherStanding(path: string, context: BaseContext): FileDecision {
  const isTests = isTestName(path) || inTestDir(path);
  const isOwnData =
    context.ecosystem(path) === null && isNearProduct(path, context) && !inOwnTestDir(path) && !isTestName(path);
  if (isTests && !isOwnData) return decideFile(path, 'test_file');
  if (context.read.has(path))
    return decideFile(path, context.ecosystem(path) === null ? dataStanding(path, context) : 'read_by_run');
  if (nameOf(path) === '.gitignore') return decideFile(path, 'ignore_rules');
  if (isStyleSettings(path)) return decideFile(path, 'style_settings');
  if (isDocument(path)) return decideFile(path, 'document');
  return decideFile(path, context.seesReads ? 'not_read' : 'not_known');
}

/** Whether the base's version of a file is what counts when judging. */
export function decides(path: string, context: BaseContext): boolean {
  const { kind } = classifyBaseFile(path, context);
  return kind === 'no_vote' || kind === 'refused' || kind === 'both';
}
