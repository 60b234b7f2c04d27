/** How one changed path is treated. */
export type DecisionKind =
  /** Judged in the patch's version. */
  | 'product'
  /** Replaced with the base's version for judging; the change is shown. */
  | 'no_vote'
  /** Absent from the deciding run, present in the shown run. */
  | 'added_test'
  /** `changes what decides: <path>`. */
  | 'refused'
  /** Merged from both versions: manifests by key, inline tests from the base. */
  | 'merged'
  | 'dependencies'
  /** Judged once in each version, because it could be product or test support. */
  | 'both'
  /** A tool's cache: left out of the patch, of the commit and of the judge's tree. */
  | 'byproduct'
  /** Decides nothing. */
  | 'shown';

/** Which version the deciding tree has. `base` means absent if the base has no such path. */
export type DecidingVersion = 'patch' | 'base' | 'merged' | 'both';

export interface FileDecision {
  readonly path: string;
  readonly kind: DecisionKind;
  readonly why: WhyCode;
  readonly sentence: string;
  readonly deciding: DecidingVersion;
  /** The decision without `--allow-deciding`. A pass with such a change is no stage evidence. */
  readonly allowed_from: DecisionKind | null;
  /** Deciding files of the base that this new file replaces; the patch deletes them. */
  readonly replaces: readonly string[];
}

interface Why {
  readonly kind: DecisionKind;
  readonly deciding: DecidingVersion;
  /** `{}` stands for the detail. */
  readonly sentence: string;
}

const why = (kind: DecisionKind, deciding: DecidingVersion, sentence: string): Why => ({ kind, deciding, sentence });
const product = (sentence: string): Why => why('product', 'patch', sentence);
const noVote = (sentence: string): Why => why('no_vote', 'base', sentence);
const added = (sentence: string): Why => why('added_test', 'base', sentence);
const refused = (sentence: string): Why => why('refused', 'base', sentence);
const both = (sentence: string): Why => why('both', 'both', sentence);
const shown = (sentence: string): Why => why('shown', 'patch', sentence);

/** Every reason for a decision. A reason has one kind. */
export const WHY = {
  product_code: product('part of the product'),
  product_data: product('data of the product'),
  generator: product('runs before the test runner and is no part of it'),
  new_file: product('new, and neither a test nor configuration'),
  awaited_module: product('a module that {} already imports'),
  source_list: product('only names more source files'),
  new_aliases: product('only adds names for paths, which nothing of the base uses'),
  version_only: product('only the version is another'),

  collected_test: noVote('a test of the base'),
  starts_runner: noVote('leads from the test command to the test runner'),
  read_by_run: noVote('read by the tests on the base and not part of the product'),
  test_file: noVote('belongs to the tests'),
  test_support: noVote('used by tests only: {}'),
  link_passed: noVote('a link that the tests follow on the base'),
  vendored: noVote('a vendored dependency'),
  written_by_run: noVote('written by the test run itself'),
  helper_for_users: noVote('loads a test runner, and no part of the product loads it'),
  mode_only: noVote('only its executable bit changed'),

  new_test: added('a new test'),
  new_test_support: added('new, and belongs to the tests'),
  new_helper: added('new, loads a test runner, and no part of the product loads it'),

  settings_changed: refused('{}, which the tests on the base use'),
  settings_planted: refused('new {}'),
  looked_for: refused('the tests on the base looked for this file and did not find it'),
  planted_package: refused('an installed package does not come from a patch'),
  shadows_module: refused('hides the module {}, which tests load from outside the tree'),
  shadows_deciding: refused('would be loaded in place of {}'),
  mock_planted: refused('would replace {} in every test'),
  test_package_code: refused('new code that runs whenever a test of its directory is loaded'),
  replaces_deciding: refused('takes the place of {}'),
  differs_in_case: refused('differs from {} in upper and lower case only'),
  acts_on_tests: refused('new code that acts on whether tests run it: {}'),
  ci_settings: refused('part of the CI, which runs on other machines'),
  agent_settings: refused('instructions or settings of a coding agent'),
  protected_file: refused('protected by protected_files'),

  manifest: why('merged', 'merged', 'a manifest: merged key by key'),
  inline_tests: why('merged', 'merged', 'holds tests of its own, which are taken from the base'),
  inline_tests_changed: why('merged', 'merged', 'changes tests that it holds, which are taken from the base'),
  names_new_tests: why('merged', 'merged', 'builds new tests, which have no vote'),
  dependency_list: why('dependencies', 'merged', 'says which dependencies are installed'),

  only_words: both('may be test support: it {}'),
  not_reached: both('no entry point of the product leads to it, and tests use it'),
  named_by_both: both('data that both the product and the tests name'),
  writes_for_tests: both('runs before the tests and writes files that they use'),
  dev_only_package: both('a package that others use for development only'),

  tool_cache: why('byproduct', 'base', 'cache or output of a tool'),
  ignored_output: why('byproduct', 'base', 'ignored by git on the base'),

  document: shown('a document'),
  style_settings: shown('settings of an editor, linter or formatter'),
  not_read: shown('not read by the tests on the base'),
  ignore_rules: why('shown', 'base', 'rules for git, which have no part in judging'),
  not_known: shown('nothing shows that tests use it'),
  other_section: shown('no section that tests use is changed'),
  other_targets: shown('no target that tests make is changed'),
  settings_not_read: why('shown', 'base', '{}, which the tests on the base do not use'),
} as const satisfies Readonly<Record<string, Why>>;

export type WhyCode = keyof typeof WHY;

export function decideFile(path: string, code: WhyCode, detail = ''): FileDecision {
  const { kind, deciding, sentence } = WHY[code];
  const text = sentence.replace('{}', () => detail);
  return { path, kind, why: code, sentence: text, deciding, allowed_from: null, replaces: [] };
}
