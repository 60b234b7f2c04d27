/** The layers, lowest first: a directory of src/ imports from itself and from those before it. */
const LAYERS = [
  'kernel',
  'evidence',
  'task',
  'confine',
  'gateway',
  'engines',
  'admission',
  'run',
  'stages',
  'plans',
  'agents',
  'fleet',
  'cli',
];

const TESTS = '\\.(test|fixture)\\.ts$';

const layering = LAYERS.slice(0, -1).map((layer, index) => ({
  name: `layers-${layer}`,
  comment: `src/${layer}/ imports only from ${LAYERS.slice(0, index + 1).join(', ')} (docs/architecture.md)`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: `^src/(${LAYERS.slice(index + 1).join('|')})/` },
}));

export default {
  forbidden: [
    ...layering,
    {
      name: 'known-directories',
      comment: 'every directory of src/ has its place among the layers',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${LAYERS.join('|')})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      comment: 'two modules that import each other are one module',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-late-spawner',
      comment: 'programs are started in few named files; oxlint knows them, but sees plain imports only',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(node:)?child_process$', dynamic: true },
    },
    {
      name: 'tests-stay-outside',
      comment: 'the program never imports a test or test support',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: [TESTS, '^tests/', '^bench/', '^scripts/'] },
    },
    {
      name: 'resolvable',
      comment: 'every import leads somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // With TypeScript 7 the default parser sees no modules at all; scripts/import-rules.mjs also counts them.
    parser: 'swc',
    // Programs for the judge to be tried on; they import what only their workspace has.
    exclude: { path: '^src/run/selftest/suites/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
