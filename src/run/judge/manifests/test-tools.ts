/**
 * Packages that run tests, assert, mock or measure. Where a manifest names one, the base's version counts, even among the
 * product's dependencies. The base's own lists of development dependencies come on top. What a product may need as well (a
 * compiler, a bundler, a DOM) is not listed.
 */
const TOOLS = {
  npm: [
    /^@(?:vitest|jest|testing-library|ava|tapjs|mochajs|wdio|playwright|cypress|stryker-mutator|sinonjs)\//,
    /^(?:vitest|jest|mocha|ava|tap|tape|jasmine|karma|qunit|uvu|playwright|cypress|borp|zora|baretest|tsd|bats)(?:$|-)/,
    /^(?:chai|expect|expect\.js|should|unexpected|power-assert|assertion-error|deep-eql|fast-check|jsverify)$|^chai-/,
    /^(?:sinon|nock|proxyquire|rewire|mockery|mock-require|mock-fs|testdouble|supertest|msw|esmock|quibble|rewiremock)$/,
    /^(?:nyc|c8|istanbul|monocart-coverage-reports|babel-jest|ts-jest|ts-mocha|sinon-chai)$|^istanbul-/,
  ],
  python: [
    /^(?:pytest|nose2?|tox|nox|ward|behave|robotframework|hypothesis|xdoctest|unittest2|testtools|python-subunit)(?:$|-)/,
    /^(?:coverage|mock|responses|vcrpy|requests-mock|freezegun|time-machine|testfixtures|syrupy|sybil|iniconfig)$/,
    /^(?:assertpy|sure|expects|pyhamcrest|flexmock|parameterized|ddt|asynctest|aioresponses|respx)$/,
  ],
  cargo: [
    /^(?:proptest|quickcheck|rstest|test-case|insta|mockall|mockito|wiremock|criterion|trybuild|assert_cmd)(?:$|[-_])/,
    /^(?:pretty_assertions|similar-asserts|k9|expect-test|goldenfile|serial_test|test-log|assert_matches|claims?)$/,
    /^(?:googletest|libtest-mimic|trycmd|snapbox|divan|compiletest_rs|ui_test)$/,
  ],
  go: [
    /^github\.com\/(?:stretchr\/testify|onsi\/ginkgo|onsi\/gomega|google\/go-cmp|golang\/mock|matryer\/is)(?:$|\/)/,
    /^github\.com\/(?:frankban\/quicktest|go-quicktest\/qt|shoenig\/test|alecthomas\/assert|smartystreets\/\w+)(?:$|\/)/,
    /^github\.com\/(?:DATA-DOG\/[\w-]+|jarcoal\/httpmock|h2non\/gock|rogpeppe\/go-internal)(?:$|\/)/,
    /^(?:gotest\.tools|gopkg\.in\/check\.v1|go\.uber\.org\/(?:mock|goleak)|pgregory\.net\/rapid)(?:$|\/)/,
  ],
} as const;

/** Programs that every test run starts: an installed one of that name would come before them. */
const PROGRAMS =
  /^(?:python[\d.]*|pip[\d.]*|uvx?|poetry|node|npm|npx|pnpm|yarn|corepack|(?:ba|da|z)?sh|env|git|make|cargo|rustc|go|cc|gcc)$/;

/** Whether a patch may install a program of this name. */
export const isOwnProgram = (name: string, isTool: (name: string) => boolean): boolean =>
  !PROGRAMS.test(name) && !isTool(name);

export type PackageEcosystem = keyof typeof TOOLS;

function isTestTool(ecosystem: PackageEcosystem, name: string): boolean {
  return TOOLS[ecosystem].some((pattern) => pattern.test(packageName(ecosystem, name)));
}

/** Python's names are equal whatever their case and separators. */
export function packageName(ecosystem: PackageEcosystem, name: string): string {
  return ecosystem === 'python' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name;
}

/** Says of a name whether the base's tests depend on it. `others`: names that the base or its tests are known to use. */
export function toolTest(
  ecosystem: PackageEcosystem,
  ...others: readonly Iterable<string>[]
): (name: string) => boolean {
  const known = new Set(others.flatMap((names) => [...names]).map((name) => packageName(ecosystem, name)));
  return (name) => known.has(packageName(ecosystem, name)) || isTestTool(ecosystem, name);
}
