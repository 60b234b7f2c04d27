import type { Terms } from '../../../task/contract.ts';
import { ADDER, MEND, type RepositoryTexts } from '../own-repository.ts';

/** A correct solution in a form that a strict harness might reject. */
export interface Variant {
  readonly name: string;
  /** Shell script, run in the workspace with the fake engine's commands; `solve` applies the oracle. */
  readonly script: string;
  readonly terms?: Partial<Terms>;
  /** Content of a `.gitignore` in the base. */
  readonly ignores?: string;
  /**
   * Plays in a repository of these files, with its tests in its tree and no oracle; then `terms` and `ignores` are
   * ignored.
   */
  readonly repository?: RepositoryTexts;
}

const EVERYTHING = { allowed_files: ['**'] };
const also = (...globs: string[]): Partial<Terms> => ({ allowed_files: ['strings.py', ...globs] });
const COMMIT = { must_commit: true };
const FIX = "solve; git commit -qam 'Fix slugs'";

const IN_THE_FILE: readonly Variant[] = [
  { name: 'as the oracle does it', script: 'solve' },
  { name: 'other quotes and blank lines', script: `solve; sed -i -e "s/\\"/'/g" -e '/^$/d' strings.py` },
  {
    name: 'comments',
    script: "solve; sed -i 's/^def /# Slugs: see RFC 3986.\\ndef /' strings.py; echo '# end' >> strings.py",
  },
  { name: 'line ends of Windows', script: "solve; sed -i 's/$/\\r/' strings.py" },
  {
    name: 'no line end at the end',
    script: 'solve; printf %s "$(cat strings.py)" > strings.new; mv strings.new strings.py',
  },
  {
    name: 'a byte order mark',
    script: `solve; { printf '\\357\\273\\277'; cat strings.py; } > strings.new; mv strings.new strings.py`,
  },
  { name: 'an executable answer', script: 'solve; chmod 755 strings.py' },
  { name: 'readable by its owner alone', script: 'umask 077; solve; chmod 600 strings.py' },
  { name: 'an old time stamp', script: 'solve; touch -d 2001-02-03T04:05:06Z strings.py' },
];

const OTHER_FILES: readonly Variant[] = [
  {
    name: 'a new module where allowed',
    script: "solve; mv strings.py slugs.py; echo 'from slugs import slugify' > strings.py",
    terms: also('slugs.py'),
  },
  { name: 'a renamed file', script: 'solve; mkdir docs; git mv README.md docs/about.md', terms: EVERYTHING },
  { name: 'a deleted file', script: 'solve; rm README.md', terms: EVERYTHING },
  {
    name: 'a directory in place of a file',
    script: 'solve; rm README.md; mkdir README.md; echo x > README.md/index.md',
    terms: EVERYTHING,
  },
  { name: 'empty files and directories', script: 'solve; mkdir -p empty/directory; : > docs.md', terms: EVERYTHING },
  { name: 'unicode in names', script: "solve; echo x > 'größe — 日本 🙂.md'", terms: also('*.md') },
  {
    name: 'spaces and quotes in names',
    script: `solve; echo x > 'read me "now".md'; echo x > "it's.md"`,
    terms: also('*.md'),
  },
  {
    name: 'names that are options and patterns',
    script: `solve; echo x > ./-rf; echo x > './:(top)*'; echo x > './[a].md'`,
    terms: EVERYTHING,
  },
  {
    name: 'names that are not UTF-8',
    script: String.raw`solve; echo x > "$(printf 'caf\351.md')"; echo x > "$(printf 'tab\tline\nend')"`,
    terms: EVERYTHING,
  },
  { name: 'a name of 255 bytes', script: `solve; echo x > "${'n'.repeat(255)}"`, terms: EVERYTHING },
  {
    name: 'a large file where allowed',
    script: 'solve; head -c 5000000 /dev/urandom > data.bin',
    terms: also('data.bin'),
  },
  { name: 'binary content', script: String.raw`solve; printf '\000\001\r\n\377' > data.bin`, terms: also('data.bin') },
  {
    name: 'a thousand files where allowed',
    script: 'solve; mkdir data; cd data; seq 1000 | xargs touch',
    terms: also('data/**'),
  },
  {
    name: 'links inside',
    script: 'solve; mkdir docs; ln -s ../README.md docs/about.md; ln -s /workspace/docs guide; ln -s gone dangling',
    terms: EVERYTHING,
  },
  {
    name: 'programs, modules and packages of its own',
    script: `solve; mkdir -p bin node_modules/left-pad; printf '#!/bin/sh\\n' > bin/pytest; chmod +x bin/pytest
echo 'x = 1' > helpers.py; echo 'y = 2' > tests_of_mine.py; echo '{}' > node_modules/left-pad/package.json`,
    terms: EVERYTHING,
  },
  { name: 'hard links inside', script: 'solve; ln strings.py copy.py', terms: EVERYTHING },
];

const REPOSITORY: readonly Variant[] = [
  { name: 'one commit', script: `${FIX}; claim "$(git rev-parse HEAD)"`, terms: COMMIT },
  {
    name: 'several commits',
    script: `echo '# wip' >> strings.py; git commit -qam Start; ${FIX}; git tag v1`,
    terms: COMMIT,
  },
  {
    name: 'an amended commit',
    script: "git commit -q --allow-empty -m Start; solve; git commit -qa --amend -m 'Fix slugs'",
    terms: COMMIT,
  },
  {
    name: 'a rebased branch',
    script: `git checkout -qb work; ${FIX}; git checkout -q main; echo more >> README.md; git commit -qam 'Say more'; git checkout -q work; git rebase -q main`,
    terms: { ...COMMIT, ...EVERYTHING },
  },
  {
    name: 'a merge',
    script: `git checkout -qb work; ${FIX}; git checkout -q main; git merge -q --no-ff --no-edit work`,
    terms: COMMIT,
  },
  { name: 'a detached HEAD', script: `git checkout -q --detach; ${FIX}`, terms: COMMIT },
  {
    name: 'an empty commit at the end',
    script: `${FIX}; git commit -q --allow-empty -m 'Run the checks again'`,
    terms: COMMIT,
  },
  { name: 'a packed repository', script: `${FIX}; git gc -q; git pack-refs --all`, terms: COMMIT },
  { name: 'commits, and more after them', script: `echo '# wip' >> strings.py; git commit -qam Start; solve` },
  { name: 'a stash left behind', script: "echo '# idea' >> strings.py; git stash -q; solve" },
  {
    name: 'git settings and hooks of its own',
    script: `git config core.autocrlf true; git config user.name me; printf '#!/bin/sh\\nexit 1\\n' > .git/pre-commit; ${FIX}`,
  },
  { name: 'no repository any more', script: 'solve; rm -rf .git' },
];

const AROUND: readonly Variant[] = [
  {
    name: 'caches that the base ignores',
    script: `solve; mkdir -p __pycache__ .pytest_cache/v node_modules/.cache; echo x > __pycache__/strings.cpython-311.pyc
echo x > .pytest_cache/v/lastfailed; echo x > node_modules/.cache/x; ln -s /usr/bin/env node_modules/python3; git add -A; git commit -qm 'Fix slugs'`,
    terms: COMMIT,
    ignores: '__pycache__/\n.pytest_cache/\nnode_modules/\n',
  },
  {
    name: 'files outside the workspace',
    script: 'solve; echo x > /tmp/x; mkdir -p ~/.cache; echo x > ~/.cache/x; echo x > /artifacts/x',
  },
  { name: 'a server left running', script: 'setsid sleep 600 >/dev/null 2>&1 & solve' },
  { name: 'much to say', script: 'yes "still at it" | head -c 20000000; solve' },
  {
    name: 'colours and odd bytes in what it says',
    script: String.raw`printf '\033[1mworking\033[0m \377\376\r\n'; solve`,
  },
];

const FIRST_TESTS = {
  ...ADDER,
  'tests/test_new.py': 'from new import answer\n\n\ndef test_answer():\n    assert answer() == 42\n',
};
const SKIPPED = `${ADDER['tests/test_sum.py'] ?? ''}\n\n@pytest.mark.skip\ndef test_later():\n    assert total([]) == 0\n`;

const OWN_REPOSITORY: readonly Variant[] = [
  { name: 'a mended bug, with its tests as they were', script: MEND, repository: ADDER },
  {
    name: 'new tests beside those there were',
    script: `${MEND}; printf '\\n\\ndef test_none():\\n    assert total([]) == 0\\n' >> tests/test_sum.py; printf 'def test_more():\\n    assert True\\n' > tests/test_more.py`,
    repository: ADDER,
  },
  {
    name: 'a repository with hooks and settings, all left alone',
    script: `${MEND}; echo '{"husky":{},"version":"2"}' > package.json; mkdir docs; echo x > docs/husky.md; ln -s ../sub docs/sub`,
    repository: {
      ...ADDER,
      '.husky/pre-commit': 'npm test\n',
      '.githooks/post-merge': 'true\n',
      '.gitmodules': '',
      '.seatrial/task.toml': '',
      'seatrial.toml': '',
      'lefthook.yml': 'pre-commit: {}\n',
      'package.json': '{"husky":{},"version":"1"}\n',
      'sub/file': 'x\n',
    },
  },
  {
    name: 'a module whose tests were there first',
    script: `${MEND}; printf 'def answer():\\n    return 42\\n' > new.py`,
    repository: FIRST_TESTS,
  },
  {
    name: 'a skipped test that is removed',
    script: `${MEND}; sed -i '/pytest.mark.skip/,$d' tests/test_sum.py`,
    repository: { ...ADDER, 'tests/test_sum.py': `import pytest\n${SKIPPED}` },
  },
];

export const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  'in the file': IN_THE_FILE,
  'other files': OTHER_FILES,
  'the repository': REPOSITORY,
  'around it': AROUND,
  'a repository of its own': OWN_REPOSITORY,
};
