import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';
import { readJunit } from './results.ts';
import { parseXml } from './xml.ts';

const REPORT = `<?xml version="1.0"?>
<!-- made by hand -->
<testsuites tests="5"><testsuite name="all" file="tests/a.x">
  <testcase classname="a.B" name="one &lt;1&gt;" time="0.1"/>
  <testcase classname="a.B" name="two"><failure message="no"><![CDATA[ <testcase name="forged"/> ]]></failure></testcase>
  <testsuite name="inner"><testcase classname="tests/b.x" name="three"><skipped/></testcase></testsuite>
  <testcase name="four"><error/></testcase>
  <testcase classname="a.B" name="one &lt;1&gt;" status="notrun"/>
</testsuite></testsuites>
`;

describe('a report', () => {
  test('is read as tests', () => {
    expect(readJunit(REPORT, (path) => path.startsWith('tests/'))).toEqual([
      { id: 'a.B::one <1>', outcome: 'passed', file: 'tests/a.x' },
      { id: 'a.B::two', outcome: 'failed', file: 'tests/a.x' },
      { id: 'tests/b.x::three', outcome: 'skipped', file: 'tests/a.x' },
      { id: 'four', outcome: 'error', file: 'tests/a.x' },
      { id: 'a.B::one <1>', outcome: 'skipped', file: 'tests/a.x' },
    ]);
  });

  test.each([
    '',
    'no report',
    '<testsuite>',
    '<testsuite></testsuites>',
    '<testsuite/><testsuite/>',
    '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>',
    '<testsuite a=1/>',
  ])('%j is none', (text) => {
    expect(parseXml(text) === null || readJunit(text, () => false) === null).toBe(true);
  });
});

const write = (report: string, code = 0): string =>
  `#!/bin/sh\nfor word; do case $word in --log-junit=*) out=\${word#*=};; esac; done\ncat > "\${out:-out/result.xml}" <<'END'\n${report}\nEND\nexit ${code}\n`;
const PASSING = '<testsuite><testcase classname="tests/a.sh" name="one"/><testcase name="two"/></testsuite>';

function judgeTree(tree: Readonly<Record<string, string>>, terms: Partial<JudgeRequest> = {}): Promise<JudgeResult> {
  return judgeCopies(
    { tree, tests: null },
    { testCommand: './check --log-junit=result.xml', isolation: 'in_process', ...terms },
  );
}

describe('a command that writes one', () => {
  test('is judged by it, and the report says how far that goes', async () => {
    const result = await judgeTree({ check: write(PASSING), 'tests/a.sh': '' });
    expect(result, result.output).toMatchObject({
      verdict: 'pass',
      runner: 'junit',
      seen: [
        { id: 'tests/a.sh::one', outcome: 'passed', file: 'tests/a.sh' },
        { id: 'two', outcome: 'passed', file: null },
      ],
      collected: ['tests/a.sh'],
      exitCodeOnly: false,
      runnerErrors: [],
      note: expect.stringContaining('the code under test could have written that file'),
    });
  });

  test('fails by it, by its exit code, and by silence', async () => {
    expect(await judgeTree({ check: write(REPORT) })).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }],
    });
    expect(await judgeTree({ check: write(PASSING, 3) })).toMatchObject({
      verdict: 'fail',
      faults: [reason('runner_exit_code', { exit: 3 })],
    });
    expect(await judgeTree({ check: '#!/bin/sh\n' })).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'no_tests_ran' }],
    });
    const broken = await judgeTree({ check: write('<testsuite>') });
    expect(broken.faults[0]).toMatchObject(
      reason('test_channel_tampered', { how: 'result.xml is not a JUnit report' }),
    );
  });

  test('one that was there before, or that is a link, says nothing', async () => {
    const planted = { check: '#!/bin/sh\n', 'result.xml': PASSING };
    expect(await judgeTree(planted)).toMatchObject({ verdict: 'fail', faults: [{ code: 'no_tests_ran' }] });
    const linked = { check: '#!/bin/sh\nln -s kept.xml result.xml\n', 'kept.xml': PASSING };
    expect(await judgeTree(linked)).toMatchObject({ verdict: 'fail', faults: [{ code: 'no_tests_ran' }] });
  });

  test('ctest writes it below the directory of the build', async () => {
    const check = `#!/bin/sh\nmkdir build && echo '${PASSING}' > build/result.xml\n`;
    const testCommand = './check --test-dir build --output-junit result.xml';
    expect(await judgeTree({ check }, { testCommand })).toMatchObject({ verdict: 'pass', seen: [{}, {}] });
  });

  test('a task can say where it lies, also several', async () => {
    const check = `#!/bin/sh\nmkdir -p out/a && echo '${PASSING}' > out/a/one.xml && echo '${PASSING}' > out/two.xml\n`;
    const terms = { testCommand: './check', junitReport: 'out/**/*.xml' };
    const result = await judgeTree({ check }, terms);
    expect(result.seen.map(({ id }) => id)).toEqual(['tests/a.sh::one', 'two', 'tests/a.sh::one (2)', 'two (2)']);
    const inside = await judgeTree(
      { 'sub/check': check },
      { testCommand: 'cd sub && ./check', junitReport: 'sub/out/two.xml' },
    );
    expect(inside, inside.output).toMatchObject({ verdict: 'pass', runner: 'junit' });
  });

  test('the whole command runs where single tests cannot be selected, and only those are reported', async () => {
    const result = await judgeTree({ check: write(PASSING) }, { only: ['two'] });
    expect(result).toMatchObject({ verdict: 'pass', seen: [{ id: 'two', outcome: 'passed' }] });
  });
});
