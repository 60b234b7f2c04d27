import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { decidedBy } from '../support/decided-by.ts';
import { Registry } from '../support/registry.ts';
import { Workshop } from '../support/workshop.ts';

let workshop: Workshop;
let registry: Registry;
beforeEach(async () => {
  workshop = new Workshop();
  registry = await Registry.open();
});
afterEach(() => {
  workshop.remove();
  registry.close();
});

/** A shell line that writes a file. */
const write = (path: string, text: string): string =>
  `printf %s ${Buffer.from(text).toString('base64')} | base64 -d > ${path}`;
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

describe('npm', () => {
  const TEST = `import test from 'node:test';
import assert from 'node:assert';
import { total } from '../src/total.js';
import { same } from 'check-same';
test('adds', () => same(total([1, 2]), 3));
test('is empty', () => assert.equal(total([]), 0));
`;

  /** package.json and package-lock.json with these packages of the registry. */
  function manifests(product: Record<string, string>, tools: Record<string, string>): [string, string] {
    const about = { name: 'adder', version: '1.0.0', dependencies: product, devDependencies: tools };
    const entry =
      (isDev: boolean) =>
      ([name, version]: [string, string]) =>
        [`node_modules/${name}`, registry.locked(name, version, isDev ? { dev: true } : {})] as const;
    const packages = [...Object.entries(product).map(entry(false)), ...Object.entries(tools).map(entry(true))];
    const lock = {
      ...about,
      lockfileVersion: 3,
      requires: true,
      packages: { '': about, ...Object.fromEntries(packages) },
    };
    return [json({ ...about, type: 'module', scripts: { test: 'node --test' } }), json(lock)];
  }

  function repository(): string {
    registry.publishNpm(
      'check-same',
      '1.0.0',
      {
        'index.js': "import assert from 'node:assert';\nexport const same = (a, b) => assert.equal(a, b);\n",
      },
      { type: 'module' },
    );
    registry.publishNpm('check-same', '2.0.0', { 'index.js': 'export const same = () => {};\n' }, { type: 'module' });
    registry.publishNpm(
      'sum-all',
      '1.0.0',
      {
        'index.js': 'export const sumAll = (list) => list.reduce((a, b) => a + b, 0);\n',
      },
      { type: 'module' },
    );
    const [about, lock] = manifests({}, { 'check-same': '1.0.0' });
    return workshop.repository('adder', {
      '.gitignore': 'node_modules\n',
      'package.json': about,
      'package-lock.json': lock,
      'src/total.js': 'export const total = (list) => list.length;\n',
      'test/total.test.js': TEST,
    });
  }

  const USES = write(
    'src/total.js',
    "import { sumAll } from 'sum-all';\nexport const total = (list) => sumAll(list);\n",
  );
  const ask = async (repo: string, ...lines: string[]): Promise<Report> =>
    (await workshop.ask(repo, lines.join('\n'), { test: 'npm test' })).report;
  const changing = (product: Record<string, string>, tools: Record<string, string>): string => {
    const [about, lock] = manifests(product, tools);
    return `${write('package.json', about)}\n${write('package-lock.json', lock)}`;
  };

  test('a change that adds a dependency of the product is judged with it', async () => {
    const repo = repository();
    const report = await ask(repo, changing({ 'sum-all': '1.0.0' }, { 'check-same': '1.0.0' }), USES);
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(report.fixed).toEqual(['test/total.test.js::adds']);
    expect((await workshop.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
  });

  test('a test tool that the change brings in another version has no vote', { tags: ['long'] }, async () => {
    const repo = repository();
    const cheat = await ask(repo, changing({}, { 'check-same': '2.0.0' }), 'echo "// done" >> src/total.js');
    expect([cheat.status, cheat.blocker_codes]).toEqual(['fail', decidedBy('nothing_fixed')]);
    const beside = changing({ 'sum-all': '1.0.0' }, { 'check-same': '2.0.0' });
    const hidden = await ask(repo, beside, 'echo "// done" >> src/total.js');
    expect([hidden.status, hidden.blocker_codes]).toEqual(['fail', decidedBy('nothing_fixed')]);
    const honest = await ask(repo, beside, USES);
    expect([honest.status, honest.blockers]).toEqual(['pass', []]);
  });

  test('a package that needs its install script, comes from elsewhere or replaces a program blocks by name', async () => {
    const repo = repository();
    registry.publishNpm('sum-all', '1.1.0', { 'index.js': '' }, { scripts: { postinstall: 'node make.js' } });
    const needy = await ask(repo, changing({ 'sum-all': '1.1.0' }, { 'check-same': '1.0.0' }), USES);
    expect([needy.status, needy.failure_reason]).toEqual([
      'blocked',
      'dependency not installed: sum-all needs its install script, which is not run for a change',
    ]);
    const [about] = manifests({}, { 'check-same': '1.0.0' });
    const fromGit = { ...(JSON.parse(about) as object), dependencies: { 'sum-all': 'someone/sum-all' } };
    const elsewhere = await ask(repo, write('package.json', json(fromGit)), USES);
    expect(elsewhere.status).toBe('blocked');
    expect(elsewhere.failure_reason).toBe(
      'dependency not installed: sum-all of package.json comes from someone/sum-all, not from a registry',
    );
  });

  test(
    'without a lockfile what a change needs is installed, and all else stays as the base has it',
    { tags: ['long'] },
    async () => {
      repository();
      const about = {
        name: 'adder',
        version: '1.0.0',
        type: 'module',
        dependencies: { 'sum-all': '^1.0.0' },
        scripts: { test: 'node --test' },
      };
      const repo = workshop.repository('loose', {
        '.gitignore': 'node_modules\n',
        '.npmrc': `registry=${registry.url}/\n`,
        'package.json': json(about),
        'src/total.js': 'export const total = (list) => list.length;\n',
        'test/total.test.js': TEST,
      });
      const setup = 'npm install --no-package-lock && npm install --no-package-lock --no-save check-same@1.0.0';
      registry.publishNpm('sum-all', '2.0.0', {
        'index.js': 'exports.add = (list) => list.reduce((a, b) => a + b, 0);\n',
      });
      const raised = write('package.json', json({ ...about, dependencies: { 'sum-all': '^2.0.0' } }));
      const uses = write('src/total.js', "import { add } from 'sum-all';\nexport const total = (list) => add(list);\n");
      const asked = await workshop.ask(repo, `${raised}\n${uses}`, { test: 'npm test', args: ['--setup', setup] });
      expect([asked.report.status, asked.report.blockers]).toEqual(['pass', []]);
      expect(asked.report.fixed).toEqual(['test/total.test.js::adds']);
    },
  );

  test(
    'a package that the product bundles, and so lists for development, is installed',
    { tags: ['long'] },
    async () => {
      const repo = repository();
      const listed = changing({}, { 'check-same': '2.0.0', 'sum-all': '1.0.0' });
      const honest = await ask(repo, listed, USES);
      expect([honest.status, honest.blockers]).toEqual(['pass', []]);
      const cheat = await ask(repo, listed, 'echo "// done" >> src/total.js');
      expect([cheat.status, cheat.blocker_codes]).toEqual(['fail', decidedBy('nothing_fixed')]);
    },
  );
});

describe('pip', () => {
  const TEST =
    'from total import total\nimport unittest\n\nfrom check_same import same\n\n\nclass Tests(unittest.TestCase):\n    def test_adds(self):\n        same(total([1, 2]), 3)\n\n    def test_empty(self):\n        same(total([]), 0)\n';

  function repository(): string {
    registry.publishWheel('check_same', '1.0', { 'check_same.py': 'def same(a, b):\n    assert a == b, (a, b)\n' });
    registry.publishWheel('check_same', '2.0', { 'check_same.py': 'def same(a, b):\n    pass\n' });
    registry.publishWheel('sum_all', '1.0', { 'sum_all.py': 'def sum_all(numbers):\n    return sum(numbers)\n' });
    registry.publishWheel(
      'overwriter',
      '1.0',
      {
        'overwriter.py': 'def sum_all(numbers):\n    return sum(numbers)\n',
        'check_same.py': 'def same(a, b):\n    pass\n',
      },
      ['check_same'],
    );
    return workshop.repository('adder', {
      '.gitignore': '.venv\n__pycache__\n',
      'requirements.txt': `--index-url ${registry.url}/simple\ncheck_same==1.0\n`,
      'total.py': 'def total(numbers):\n    return len(numbers)\n',
      'test_total.py': TEST,
    });
  }

  const uses = (module: string): string =>
    write('total.py', `from ${module} import sum_all\n\n\ndef total(numbers):\n    return sum_all(numbers)\n`);
  const ask = async (repo: string, ...lines: string[]): Promise<Report> =>
    (await workshop.ask(repo, lines.join('\n'), { test: 'python3 -m unittest' })).report;

  test(
    'a change that adds a requirement is judged with it, and with the test tools of the base',
    { tags: ['long'] },
    async () => {
      const repo = repository();
      const report = await ask(repo, 'echo "sum_all==1.0" >> requirements.txt', uses('sum_all'));
      expect([report.status, report.blockers]).toEqual(['pass', []]);
      const weaker = "sed -i 's/check_same==1.0/check_same==2.0/' requirements.txt; echo sum_all >> requirements.txt";
      const cheat = await ask(repo, weaker, 'echo "# done" >> total.py');
      expect([cheat.status, cheat.blocker_codes]).toEqual(['fail', decidedBy('nothing_fixed')]);
      expect(readFileSync(join(cheat.run_dir, 'patch.diff'), 'utf8')).toContain('check_same==2.0');
    },
  );

  test('a package that replaces files of a test tool blocks by name', { tags: ['long'] }, async () => {
    const repo = repository();
    const report = await ask(repo, 'echo overwriter >> requirements.txt', uses('overwriter'));
    expect([report.status, report.failure_reason]).toEqual([
      'blocked',
      'dependency not installed: a package of the change replaces check_same.py of check-same',
    ]);
  });
});
