import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Sources in TypeScript, their output committed. */
const TYPED: SampleRepository = {
  test: 'node --test test/',
  files: {
    'package.json': json({
      name: 'typed',
      version: '1.0.0',
      type: 'module',
      main: './dist/index.js',
      types: './dist/index.d.ts',
      scripts: { build: 'tsc' },
    }),
    'tsconfig.json': json({
      compilerOptions: { outDir: 'dist', declaration: true, strict: true, module: 'nodenext' },
      include: ['src'],
    }),
    'src/index.ts': "export { clamp } from './clamp.js';\nexport type { Range } from './types.js';\n",
    'src/clamp.ts':
      "import type { Range } from './types.js';\n\nexport function clamp(value: number, { low, high }: Range): number {\n  return Math.max(low, value);\n}\n",
    'src/types.ts': 'export interface Range {\n  low: number;\n  high: number;\n}\n',
    'src/spec.ts': 'export const SPEC = 1;\n',
    'dist/index.js': "export { clamp } from './clamp.js';\n",
    'dist/index.d.ts': "export { clamp } from './clamp.js';\nexport type { Range } from './types.js';\n",
    'dist/clamp.js': 'export function clamp(value, { low, high }) {\n    return Math.max(low, value);\n}\n',
    'dist/clamp.d.ts':
      "import type { Range } from './types.js';\nexport declare function clamp(value: number, range: Range): number;\n",
    'test/clamp.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { clamp } from '../dist/index.js';\n\ntest('low', () => {\n  assert.equal(clamp(1, { low: 2, high: 3 }), 2);\n});\n\ntest('high', () => {\n  assert.equal(clamp(4, { low: 2, high: 3 }), 3);\n});\n",
  },
};
const TYPED_FIX = "sed -i 's/Math.max(low, value)/Math.min(high, Math.max(low, value))/' src/clamp.ts dist/clamp.js";
const TYPED_GREEN = withFiles(TYPED, {
  'src/clamp.ts': (TYPED.files['src/clamp.ts'] ?? '').replace(
    'Math.max(low, value)',
    'Math.min(high, Math.max(low, value))',
  ),
  'dist/clamp.js': (TYPED.files['dist/clamp.js'] ?? '').replace(
    'Math.max(low, value)',
    'Math.min(high, Math.max(low, value))',
  ),
});

export const TYPESCRIPT: readonly RepositoryVariant[] = [
  { name: 'TypeScript: sources and their output', repository: TYPED, script: TYPED_FIX },
  {
    name: 'TypeScript: types alone',
    repository: TYPED_GREEN,
    script: `sed -i 's/low: number;/readonly low: number;/' src/types.ts; echo 'export type Side = "low" | "high";' >> src/types.ts; sed -i 's/type { Range }/type { Range, Side }/' src/index.ts dist/index.d.ts`,
  },
  {
    name: 'TypeScript: a new module, and one that is named spec',
    repository: TYPED_GREEN,
    script: `echo 'export const wrap = (n: number, size: number): number => ((n % size) + size) % size;' > src/wrap.ts; echo 'export const wrap = (n, size) => ((n % size) + size) % size;' > dist/wrap.js; sed -i "1i export { wrap } from './wrap.js';" src/index.ts dist/index.js dist/index.d.ts; sed -i 's/SPEC = 1/SPEC = 2/' src/spec.ts`,
  },
  {
    name: 'TypeScript: a module renamed',
    repository: TYPED_GREEN,
    script: `for dir in src dist; do for end in ts js d.ts; do [ ! -e $dir/clamp.$end ] || git mv $dir/clamp.$end $dir/bounds.$end; done; done; sed -i 's#./clamp.js#./bounds.js#' src/index.ts dist/index.js dist/index.d.ts`,
  },
];
