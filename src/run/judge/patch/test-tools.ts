const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Packages that run tests or decide what a test concludes. One that only the patch brings has no place in the tree it is judged in: it
 * comes from the base, the setup or the machine.
 */
const NODE_TOOLS = new Set(
  words(`vitest vite vite-node jest expect babel-jest ts-jest jasmine jasmine-core mocha ava tap tape uvu qunit karma lab
    baretest zora node-tap c8 nyc tinypool chai sinon should must unexpected expect.js earl power-assert assert
    assertion-error deep-eql fast-check jsverify nock msw supertest cypress playwright puppeteer testdouble`),
);
const NODE_TOOL_FAMILIES =
  /^(?:@(?:vitest|jest|testing-library|playwright|sinonjs|japa|hapi|tapjs)\/|(?:jest|chai|mocha)-)/;

/** Only names that no project gives a module of its own. */
const PYTHON_TOOLS = new Set(
  words(`pytest _pytest pluggy iniconfig hypothesis xdist nose nose2 testtools unittest2 hamcrest assertpy parameterized
    freezegun flexmock`),
);
const PYTHON_TOOL_FAMILIES = /^pytest_/;

/** Programs that run tests, or that tests are written in: none of them may be found in a directory of the patch first. */
const PROGRAMS = new Set(
  words(`pytest py.test tox nox nose2 behave python python3 node npm npx pnpm yarn bun deno go cargo rustc make sh bash bats
    ruby rspec rake perl prove php phpunit java mvn gradle ctest`),
);

export function isNodeTestTool(name: string): boolean {
  return NODE_TOOLS.has(name) || NODE_TOOL_FAMILIES.test(name);
}

export function isPythonTestTool(name: string): boolean {
  return PYTHON_TOOLS.has(name) || PYTHON_TOOL_FAMILIES.test(name);
}

export function isTestProgram(name: string): boolean {
  return PROGRAMS.has(name) || isNodeTestTool(name);
}
