import { settingsRules } from './rule.ts';

export const GO_SETTINGS = settingsRules('go', [
  { what: 'Go workspace', files: ['go.work', 'go.work.sum'] },
  // A second module takes its directory out of the first one, with every test in it.
  { what: 'Go module', files: ['go.mod'], changed: 'never' },
  { what: 'list of vendored modules', files: ['vendor/modules.txt'], planted: 'anywhere' },
  { what: 'Go environment', files: ['go.env', '.go-version'], planted: 'looked_for' },
  {
    what: 'settings of a test runner',
    files: ['.gotestsum*', 'gotestsum.*', '.ginkgo*', '.gotestsum.yml'],
    planted: 'looked_for',
  },
]);
