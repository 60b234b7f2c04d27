/** Draws commits of a local clone by a seed, so that the same ones can be drawn again. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Programs in shell often have no ending. */
const SOURCES = /\.(?:py|[cm]?[jt]sx?|go|rs|c|cc|cpp|h|hpp|sh|bash|rb|java)$|(?:^|\/)[a-z][a-z\d_-]*$/;
const TESTS =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)\.\w+$|(?:^|\/)tests?\.\w+$/;
const TOOLING =
  /(?:^|\/)(?:docs?|examples?|benchmarks?|scripts|misc|fuzz\w*)\/|(?:^|\/)(?:setup|conftest|noxfile)\.py$|\.config\.\w+$|(?:^|\/)\./;

export const isTestPath = (path) => TESTS.test(path);
const isProductPath = (path) => SOURCES.test(path) && !TESTS.test(path) && !TOOLING.test(path);

export function gitIn(repo, env = {}) {
  return (...args) => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', repo, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, ...env },
    });
    if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
    return stdout;
  };
}

/** `all`: every commit that changes product files; `with-tests`: product and test files together. In an order that the seed decides. */
export function drawCommits({ repo, draw, among, seed }) {
  const git = gitIn(repo);
  const commits = git('log', '--no-merges', `-n${among}`, '--format=%H').trim().split('\n');
  const order = (commit) => createHash('sha256').update(`${seed}:${commit}`).digest('hex');
  const isDrawn = (commit) => {
    const paths = changedPaths(git, commit);
    return paths.some(isProductPath) && (draw === 'all' || paths.some(isTestPath));
  };
  return commits.filter(isDrawn).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

export function changedPaths(git, commit) {
  return git('diff-tree', '-r', '--no-commit-id', '--name-only', commit).trim().split('\n');
}
