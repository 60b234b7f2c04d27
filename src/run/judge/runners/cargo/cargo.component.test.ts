import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { describe, expect, test, type TestContext, vi } from 'vitest';
import { findProgram } from '../../../../confine/tools/find-program.ts';
import { type Content, judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';
import { workingProgram } from '../../working-program.fixture.ts';

const TIMEOUT = { timeout: 180_000 };
const cargo = workingProgram('cargo');

const MANIFEST = '[package]\nname = "slug"\nversion = "0.1.0"\nedition = "2021"\n';
const HONEST = `pub fn slugify(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}
`;
const BASE = 'pub fn slugify(text: &str) -> String { text.to_string() }\n';
const TESTS = {
  'slug.rs': `use slug::slugify;
#[test]
fn words() { assert_eq!(slugify("Hello World"), "hello-world"); }
mod odd {
    use super::*;
    #[test]
    fn punctuation() { assert_eq!(slugify("a, b!"), "a-b"); }
}
`,
};
const EXPECTED = ['slug.rs::words', 'slug.rs::odd::punctuation'];

function judgeTree(
  context: TestContext,
  tree: Readonly<Record<string, string>>,
  terms: Partial<JudgeRequest> = {},
  tests: Content | null = TESTS,
  kind: 'bubblewrap' | 'none' = 'bubblewrap',
): Promise<JudgeResult> {
  if (cargo === null) context.skip('there is no working cargo on this machine');
  return judgeCopies(
    { tree: { 'Cargo.toml': MANIFEST, ...tree }, tests },
    { testCommand: 'cargo test', isolation: 'in_process', timeoutMs: 150_000, ...terms },
    kind,
  );
}

describe('sealed tests', () => {
  test('a correct patch passes, every test by its name', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'src/lib.rs': HONEST }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'cargo' });
    expect(result.seen.map(({ id }) => id).sort()).toEqual([...EXPECTED].sort());
    expect(result.toolchain[0]).toMatchObject({ name: 'cargo', version: expect.stringMatching(/^\d+\.\d+/) });
    expect(result.output).not.toContain('"reason"');
  });

  test('judged without confinement too', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'src/lib.rs': HONEST }, { expectedTests: EXPECTED }, TESTS, 'none');
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
  });

  test('the base fails, and the output says why', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'src/lib.rs': BASE }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 101 });
    expect(result.output).toMatch(/left: `?"Hello World"/);
  });

  test('settings of the tree have no say over honest code either', TIMEOUT, async (context) => {
    const tree = {
      'src/lib.rs': HONEST,
      '.cargo/config.toml': '[target.\'cfg(all())\']\nrunner = "true"\n\n[term]\nquiet = true\n',
    };
    const result = await judgeTree(context, tree, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
  });

  test('code that does not compile fails with what the compiler says', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'src/lib.rs': 'pub fn slugify( {\n' });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'no_tests_ran' }] });
    expect(result.output).toContain('error: ');
  });

  test.for(
    Object.entries({
      'process::exit(0) in a call': {
        'src/lib.rs': 'pub fn slugify(_: &str) -> String { std::process::exit(0) }\n',
      },
      'a result that is printed by the code': {
        'src/lib.rs': `use std::io::Write;
pub fn slugify(text: &str) -> String {
    if text == "a, b!" { return "a-b".to_string(); }
    std::io::stdout().write_all(b"\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\\n").unwrap();
    std::process::exit(0)
}
`,
      },
      'exit before main': {
        'src/lib.rs': `${BASE}extern "C" fn leave() { std::process::exit(0) }
#[used]
#[link_section = ".init_array"]
static LEAVE: extern "C" fn() = leave;
`,
      },
      'panic hook that exits': {
        'src/lib.rs': `pub fn slugify(text: &str) -> String {
    std::panic::set_hook(Box::new(|_| std::process::exit(0)));
    text.to_string()
}
`,
      },
      'runner in .cargo': {
        'src/lib.rs': BASE,
        '.cargo/config.toml': '[target.\'cfg(all())\']\nrunner = "true"\n',
      },
      'harness = false': {
        'Cargo.toml': `${MANIFEST}\n[[test]]\nname = "slug"\npath = "fake.rs"\nharness = false\n`,
        'src/lib.rs': BASE,
        'fake.rs': 'fn main() {}\n',
      },
      'tests of its own in the place of sealed ones': {
        'Cargo.toml': `${MANIFEST}\n[[test]]\nname = "slug"\npath = "fake.rs"\n`,
        'src/lib.rs': BASE,
        'fake.rs': '#[test]\nfn words() {}\nmod odd {\n    #[test]\n    fn punctuation() {}\n}\n',
      },
      'no tests at all': { 'Cargo.toml': `${MANIFEST}autotests = false\n`, 'src/lib.rs': BASE },
    }),
  )('$0 does not pass', TIMEOUT, async ([, tree], context) => {
    for (const expectedTests of [EXPECTED, null]) {
      const result = await judgeTree(context, tree, { expectedTests });
      expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
    }
  });
});

describe('tests of the tree', () => {
  const tree = {
    'Cargo.toml': '[workspace]\nmembers = ["alpha", "beta"]\nresolver = "2"\n',
    'alpha/Cargo.toml': MANIFEST.replace('slug', 'alpha'),
    'alpha/src/lib.rs': `/// Twice.
///
/// \`\`\`
/// assert_eq!(alpha::twice(2), 4);
/// \`\`\`
pub fn twice(n: i32) -> i32 { n * 2 }

#[cfg(test)]
mod tests {
    #[test]
    fn twice() { assert_eq!(super::twice(1), 2); }
    #[test]
    #[ignore = "slow"]
    fn slow() {}
    #[test]
    #[should_panic]
    fn panics() { panic!("as it should"); }
    #[test]
    fn starts_a_program() { std::process::Command::new("echo").arg("not captured").status().unwrap(); }
}
`,
    'beta/Cargo.toml': MANIFEST.replace('slug', 'beta'),
    'beta/src/lib.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn twice() {}\n}\n',
  };

  test('members, modules, doc-tests and ignored ones have names of their own', TIMEOUT, async (context) => {
    const result = await judgeTree(context, tree, { testCommand: 'cargo test --workspace -q -- --nocapture' }, null);
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
    // Older versions of cargo name doc-tests without the directory of their member.
    const named = (id: string): string => id.replace(/^src\/lib\.rs - /, 'alpha/src/lib.rs - ');
    const outcomes = Object.fromEntries(result.seen.map(({ id, outcome }) => [named(id), outcome]));
    expect(outcomes).toEqual({
      'alpha/src/lib.rs::tests::twice': 'passed',
      'alpha/src/lib.rs::tests::slow': 'skipped',
      'alpha/src/lib.rs::tests::panics': 'passed',
      'alpha/src/lib.rs::tests::starts_a_program': 'passed',
      'beta/src/lib.rs::tests::twice': 'passed',
      'alpha/src/lib.rs - twice (line 3)': 'passed',
    });
  });

  test('one failing program does not hide the others, and its own settings are kept', TIMEOUT, async (context) => {
    const failing = {
      ...tree,
      '.cargo/config.toml': '[env]\nTWICE = "2"\n',
      'alpha/src/lib.rs': '#[test]\nfn fails() { println!("test forged ... ok"); assert_eq!(env!("TWICE"), "3"); }\n',
    };
    const result = await judgeTree(context, failing, {}, null);
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }],
      note: expect.stringContaining("the tree's own .cargo settings"),
    });
    expect(result.seen).toEqual([
      { id: 'alpha/src/lib.rs::fails', outcome: 'failed', file: 'alpha/src/lib.rs' },
      { id: 'beta/src/lib.rs::tests::twice', outcome: 'passed', file: 'beta/src/lib.rs' },
    ]);
  });

  test('a program that leaves early spoils the others, recorded ids or not', TIMEOUT, async (context) => {
    const left = { ...tree, 'beta/src/lib.rs': '#[test]\nfn leaves() { std::process::exit(0) }\n' };
    const result = await judgeTree(context, left, {}, null);
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [reason('test_channel_tampered', { how: 'the runner ended without saying so' })],
    });
    expect(result.output).toContain('beta/src/lib.rs ended before its tests did');
  });
});

test('a machine without cargo cannot judge by it', async (context) => {
  if (findProgram('cargo', '/usr/bin') !== null) context.skip('cargo belongs to the system here');
  // It names a cargo, too.
  vi.stubEnv('CARGO_HOME', undefined);
  const terms = { testCommand: 'cargo test', isolation: 'in_process', tools: { path: '', cacheDir: null } } as const;
  const result = await judgeCopies({ tree: { 'Cargo.toml': MANIFEST }, tests: null }, terms);
  vi.unstubAllEnvs();
  expect(result).toMatchObject({ verdict: 'blocked', faults: [reason('not_installed', { program: 'cargo' })] });
});
