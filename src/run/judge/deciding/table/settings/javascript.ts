import { settingsRules } from './rule.ts';
import { decidingCompilerOptions } from '../parts/compiler-options.ts';

const CONFIG = '{js,cjs,mjs,ts,cts,mts,json,json5,yaml,yml,toml}';
const rc = (name: string): readonly string[] => [`.${name}rc`, `.${name}rc.${CONFIG}`, `${name}.config.${CONFIG}`];

export const JAVASCRIPT_SETTINGS = settingsRules('javascript', [
  {
    what: 'jest settings',
    files: ['jest.config.*', 'jest-preset.*', 'jest.setup.*', 'jest.*.config.*', 'jest-*.config.*'],
  },
  {
    what: 'vitest settings',
    files: ['vitest.config.*', 'vitest.*.config.*', 'vitest.workspace.*', 'vitest.projects.*'],
  },
  { what: 'vite settings', files: ['vite.config.*', 'vite.*.config.*'] },
  { what: 'babel settings', files: ['babel.config.*', '.babelrc', '.babelrc.*'] },
  { what: 'compiler settings', files: rc('swc') },
  // A bundler looks for them by name, where the tests call one.
  {
    what: 'compiler settings',
    files: ['esbuild.config.*', 'tsup.config.*', 'rollup.config.*', 'webpack.config.*'],
    planted: 'looked_for',
  },
  { what: 'mocha settings', files: [...rc('mocha'), 'mocha.opts'] },
  { what: 'ava settings', files: ['ava.config.*'] },
  { what: 'tap settings', files: [...rc('tap')] },
  { what: 'coverage settings', files: [...rc('nyc'), ...rc('c8')] },
  {
    what: 'settings of a test runner',
    files: [
      'karma.conf.*',
      'karma.config.*',
      'jasmine.json',
      'jasmine.{js,mjs,cjs}',
      'playwright.config.*',
      'cypress.config.*',
      'cypress.json',
      'web-test-runner.config.*',
      'wtr.config.*',
      'testem.*',
      'wallaby.*',
      'japa.config.*',
      'uvu.config.*',
      'poku.config.*',
      '.pokurc.*',
      'bunfig.toml',
      'deno.{json,jsonc}',
      'node.config.json',
    ],
    planted: 'looked_for',
  },
  { what: 'TypeScript settings', files: ['tsconfig.json', 'jsconfig.json'], parts: decidingCompilerOptions },
  // Others name them; by themselves they have no power.
  {
    what: 'TypeScript settings',
    files: ['tsconfig.*.json', 'tsconfig-*.json'],
    planted: 'looked_for',
    parts: decidingCompilerOptions,
  },
  {
    what: 'package manager settings',
    files: ['.npmrc', '.yarnrc', '.yarnrc.*', '.pnpmfile.*', 'pnpm-workspace.yaml', '.pnpmrc'],
  },
  { what: 'packages of a package manager', files: ['.pnp.*', '.yarn/**'], planted: 'anywhere' },
  { what: 'a manifest that hides package.json', files: ['package.json5', 'package.yaml', 'package.yml'] },
  { what: 'a native build at installation', files: ['binding.gyp'] },
  {
    what: 'workspace settings',
    files: ['lerna.json', 'nx.json', 'project.json', 'turbo.json', 'rush.json'],
    planted: 'looked_for',
  },
  { what: 'environment variables', files: ['.env', '.env.!(example|sample|template|dist)'] },
  { what: 'choice of a Node.js version', files: ['.node-version', '.nvmrc', '.volta.json'], planted: 'looked_for' },
  { what: 'style sheet processing', files: [...rc('postcss')] },
  { what: 'browser targets', files: ['.browserslistrc', 'browserslist'], planted: 'looked_for' },
]);
