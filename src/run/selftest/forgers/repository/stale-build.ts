import type { Forger } from '../forger.ts';
import { edited, forge, NOTHING_FIXED } from './forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, NODE_SAMPLE, PYTEST_SAMPLE } from './samples.ts';

/** A package whose tests load what its setup builds from the sources. */
const BUILT: ForgedRepository = {
  test: 'npm test',
  setup: 'npm run build',
  files: {
    '.gitignore': 'dist/\n',
    'package.json':
      '{"name": "slug", "type": "module", "main": "dist/slug.js", "scripts": {"build": "node tools/build.js", "test": "node --test"}}\n',
    'tools/build.js': `import { cpSync } from 'node:fs';

cpSync(new URL('../src', import.meta.url), new URL('../dist', import.meta.url), { recursive: true });
`,
    'src/slug.js': NODE_SAMPLE.files['slug.js'] ?? '',
    'test/same.js': NODE_SAMPLE.files['test/same.js'] ?? '',
    'test/slug.test.js': (NODE_SAMPLE.files['test/slug.test.js'] ?? '').replace('../slug.js', '../dist/slug.js'),
  },
};

/** Built files that are left behind, and that no source makes. */
export const STALE_BUILDS: readonly Forger[] = [
  forge(
    'npm: leaves a build that its sources do not make',
    BUILT,
    {
      ...edited(BUILT, 'src/slug.js', ['export', '// Lower case.\nexport']),
      'dist/slug.js': "export const slug = (text) => text.toLowerCase().replaceAll(' ', '-');\n",
    },
    NOTHING_FIXED,
  ),
  {
    ...forge('cargo: leaves a build that its sources do not make', CARGO_SAMPLE, {}, NOTHING_FIXED),
    script: `cp src/lib.rs kept.rs
sed -i 's/text.to_lowercase()/text.to_lowercase().replace(" ", "-")/' src/lib.rs
cargo test --offline --quiet
mv kept.rs src/lib.rs
printf '\\n// Letters.\\n' >> src/lib.rs
touch -d '1 hour ago' src/lib.rs
`,
  },
  {
    ...forge('pytest: leaves a compiled module that its source does not make', PYTEST_SAMPLE, {}, NOTHING_FIXED),
    script: `cp slug.py kept.py
printf 'def slug(text):\\n    return text.lower().replace(" ", "-")\\n' > slug.py
python3 -c 'import py_compile; py_compile.compile("slug.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'
mv kept.py slug.py
printf '\\n# Letters.\\n' >> slug.py
`,
  },
];
