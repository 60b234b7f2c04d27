import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A package with a bug in `lib/words.js`, a program and translations. */
const GREETER: SampleRepository = {
  test: 'npm test',
  files: {
    'package.json': json({
      name: 'greeter',
      version: '2.0.1',
      main: 'index.js',
      bin: { greet: 'bin/greet.js' },
      files: ['lib', 'locales'],
      scripts: { test: 'node --test', lint: 'eslint .' },
    }),
    'README.md': '# greeter\n',
    'CHANGELOG.md': '# 2.0.1\n',
    LICENSE: 'MIT\n',
    '.gitignore': 'node_modules/\ncoverage/\n',
    'index.js':
      "'use strict';\nexports.greet = require('./lib/greet').greet;\nexports.words = require('./lib/words').words;\n",
    'lib/greet.js': `'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { words } = require('./words');

exports.greet = function greet(name, language = 'en') {
  const texts = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'locales', language + '.json'), 'utf8'));
  return texts.hello + ', ' + words(name).join(' ') + '!';
};
`,
    'lib/words.js': "'use strict';\nexports.words = (text) => text.split(' ');\n",
    'lib/old.js': "'use strict';\nexports.old = () => 'old';\n",
    'lib/spec.js':
      "'use strict';\n/** The specification of a name. */\nexports.isName = (text) => /^\\w/.test(text);\n",
    'locales/en.json': json({ hello: 'Hello' }),
    'locales/de.json': json({ hello: 'Hallo' }),
    'bin/greet.js': "#!/usr/bin/env node\nconsole.log(require('..').greet(process.argv[2]));\n",
    'test/words.test.js': `'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const { words } = require('..');

test('one word', () => {
  assert.deepStrictEqual(words('a'), ['a']);
});

test('blanks', () => {
  assert.deepStrictEqual(words('a  b'), ['a', 'b']);
});
`,
    'test/greet.test.js': `'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { greet } = require('..');
const names = require('./fixtures/names.json');

test('greets', () => {
  for (const name of names) assert.ok(greet(name).includes(name));
});

test('german', () => {
  assert.strictEqual(greet('Ada', 'de'), 'Hallo, Ada!');
});

test('program', () => {
  const out = execFileSync(process.execPath, [path.join(__dirname, '..', 'bin', 'greet.js'), 'Ada'], { encoding: 'utf8' });
  assert.strictEqual(out, 'Hello, Ada!\\n');
});
`,
    'test/fixtures/names.json': json(['Ada', 'Alan']),
  },
};

const FIX = "sed -i 's/split(. .)/split(\\/ +\\/)/' lib/words.js";
const GREEN = withFiles(GREETER, { 'lib/words.js': "'use strict';\nexports.words = (text) => text.split(/ +/);\n" });

/** Modules without a package, as small sites and exercises have them. */
const LOOSE: SampleRepository = {
  test: 'node --test',
  files: {
    'sum.mjs':
      "import { readFileSync } from 'node:fs';\n\nexport const add = (a, b) => a - b;\nexport const limit = () => Number(readFileSync(new URL('limit.txt', import.meta.url), 'utf8'));\n",
    'limit.txt': '10\n',
    'sum.test.mjs':
      "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { add, limit } from './sum.mjs';\n\ntest('adds', () => {\n  assert.equal(add(1, 2), 3);\n});\n\ntest('limit', () => {\n  assert.ok(limit() > 5);\n});\n",
  },
};

const ONE_TEST =
  "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { one } from './helpers.mjs';\n\ntest('one', () => {\n  assert.equal(one, 1);\n});\n";

export const JAVASCRIPT: readonly RepositoryVariant[] = [
  {
    name: 'node: a fix with a new test file',
    repository: GREETER,
    script: `${FIX}; printf "const { test } = require('node:test');\\ntest('more', () => {});\\n" > test/more.test.js`,
  },
  {
    name: 'node: changed tests and fixtures beside a fix',
    repository: GREETER,
    script: `${FIX}; sed -i "s/'a  b'/'a   b'/" test/words.test.js; echo '["Ada", "Alan", "Grace"]' > test/fixtures/names.json`,
  },
  {
    name: 'node: translations',
    repository: GREEN,
    script: `echo '{ "hello": "Bonjour" }' > locales/fr.json; echo '{ "hello": "Hallo", "bye": "Tschuess" }' > locales/de.json`,
  },
  {
    name: 'node: a product module named spec',
    repository: GREETER,
    script: `${FIX}; sed -i 's/test(text)/test(text.trim())/' lib/spec.js; sed -i "s/^exports.greet.*/&\\nexports.isName = require('.\\/lib\\/spec').isName;/" index.js`,
  },
  {
    name: 'node: a module moved and another removed',
    repository: GREEN,
    script: `mkdir lib/text; git mv lib/words.js lib/text/words.js; sed -i "s#'./words'#'./text/words'#" lib/greet.js; sed -i 's#lib/words#lib/text/words#' index.js; git rm -q lib/old.js`,
  },
  {
    name: 'node: a second program',
    repository: GREEN,
    script: `printf "#!/usr/bin/env node\\nconsole.log(require('..').words(process.argv[2]).length);\\n" > bin/count.js; chmod +x bin/count.js; sed -i 's#"greet": "bin/greet.js"#"greet": "bin/greet.js", "count-words": "bin/count.js"#' package.json`,
  },
  {
    name: 'node: a new version with its changelog and files',
    repository: GREEN,
    script: `sed -i 's/2\\.0\\.1/2.1.0/' package.json CHANGELOG.md; sed -i 's/"locales"/"locales", "index.d.ts"/; s/"main"/"types": "index.d.ts",\\n  "main"/' package.json; echo 'export function greet(name: string): string;' > index.d.ts`,
  },
  {
    name: 'node: formatting everywhere',
    repository: GREEN,
    script: `sed -i -e "s/'/\\"/g" -e 's/^  /    /' index.js lib/*.js bin/*.js; printf 'semi: true\\n' > .prettierrc.yml; echo 'root = true' > .editorconfig`,
  },
  {
    name: 'node: a script that no test goes through',
    repository: GREEN,
    script: `sed -i 's#"lint": "eslint ."#"lint": "eslint . --max-warnings 0", "docs": "node scripts/docs.js"#' package.json; mkdir scripts; echo "console.log('docs')" > scripts/docs.js`,
  },
  {
    name: 'node: output and caches left behind',
    repository: GREETER,
    script: `${FIX}; mkdir -p coverage node_modules/.cache; echo x > coverage/lcov.info; echo x > node_modules/.cache/x; echo x > .eslintcache`,
  },
  {
    name: 'node: data of a loose module',
    repository: LOOSE,
    script: `sed -i 's/a - b/a + b/' sum.mjs; echo 20 > limit.txt`,
  },
  {
    name: 'node: only data of a loose module',
    repository: withFiles(LOOSE, {
      'sum.mjs': (LOOSE.files['sum.mjs'] ?? '').replace('a - b', 'a + b'),
      'limit.txt': '3\n',
    }),
    script: `echo 20 > limit.txt`,
  },
  {
    name: 'node: a loose module taken apart',
    repository: LOOSE,
    script: `sed -i "s#export const add.*#export { add } from './add.mjs';#" sum.mjs; echo 'export const add = (a, b) => a + b;' > add.mjs`,
  },
  {
    name: 'node: a module whose test was written first',
    repository: withFiles(LOOSE, {
      'twice.test.mjs':
        "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { twice } from './twice.mjs';\n\ntest('twice', () => {\n  assert.equal(twice(2), 4);\n});\n",
    }),
    script: `echo 'export const twice = (n) => n * 2;' > twice.mjs`,
  },
  {
    name: 'node: routes named like the sandbox, and a module named like a test helper',
    repository: withFiles(LOOSE, { 'test/helpers.mjs': 'export const one = 1;\n', 'test/one.test.mjs': ONE_TEST }),
    script: `mkdir web; echo 'export const show = () => "page";' > web/helpers.mjs; printf "import { show } from './helpers.mjs';\\n\\nexport const routes = [{ path: '/workspace', show }];\\n" > web/routes.mjs; sed -i 's/a - b/a + b/' sum.mjs`,
  },
  {
    name: 'node: a fix that changes the name of a test',
    repository: withFiles(LOOSE, {
      'box.mjs': 'export const box = (text) => `[${text}]${text.length > 3 ? "!" : ""}`;\n',
      'box.test.mjs':
        "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { box } from './box.mjs';\n\nfor (const text of ['one', 'three'])\n  test(`${text} in ${box(text)}`, () => assert.equal(box(text).length, text.length + 2));\n",
    }),
    script: "sed -i 's/[$][{]text.length.*}`/`/' box.mjs",
  },
  {
    name: 'node: a fix, and a program that knows terminals and its own variables',
    repository: GREETER,
    script: `${FIX}; cat > bin/greet.js <<'END'
#!/usr/bin/env node
const { env, stdout } = process;
const [, , name = 'you', ...args] = process.argv;
const settings = Object.keys(env).filter((one) => one.startsWith('GREET_'));
const text = require('..').greet(name);
console.log(stdout.isTTY && !args.includes('test') ? '\\u001b[1m' + text + '\\u001b[0m' : text);
if (settings.length > 0) console.error(settings.join());
END`,
  },
];
