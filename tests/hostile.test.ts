import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileTree } from '../src/evidence/storage/file-tree.ts';
import { Place, writeBelow } from './support/seatrial.ts';

let place: Place;
let mark: string;
/** A shell line that leaves a trace where no confined program can. */
let pwn: string;

beforeEach(() => {
  place = new Place();
  mark = join(place.root, 'ran-outside');
  pwn = `touch ${mark}`;
  spawnSync('sh', ['-c', pwn]);
  expect(existsSync(mark), 'the trap works').toBe(true);
  rmSync(mark);
});
afterEach(() => {
  expect(existsSync(mark), 'nothing of it ran outside').toBe(false);
  place.remove();
});

const contentOf = (dir: string): unknown => readFileTree(dir).files.map(({ path, sha256 }) => [path, sha256]);

/** Programs of the harness's own, in a directory that it should not look at. */
function traps(dir: string, ...names: readonly string[]): void {
  for (const name of names) executable(join(dir, name), `#!/bin/sh\n${pwn}\n`);
}

function executable(path: string, text: string): void {
  writeBelow(dirname(path), { [path.slice(dirname(path).length + 1)]: text });
  chmodSync(path, 0o755);
}

/** Files that some program, called without care in their directory, would obey. */
function bait(): Record<string, string> {
  return {
    '.gitattributes':
      '* filter=evil diff=evil merge=evil ident export-subst text eol=crlf\n*.x working-tree-encoding=UTF-16\n',
    '.gitconfig': `[core]\n\tfsmonitor = ${pwn}\n\thooksPath = hooks\n[filter "evil"]\n\tclean = ${pwn}\n\tsmudge = ${pwn}\n\trequired\n[diff]\n\texternal = ${pwn}\n`,
    '.gitmodules': `[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c ${pwn}\n\tupdate = !${pwn}\n`,
    'hooks/pre-commit': `#!/bin/sh\n${pwn}\n`,
    'hooks/post-checkout': `#!/bin/sh\n${pwn}\n`,
    '--checkpoint=1': '',
    [`--checkpoint-action=exec=sh x.sh`]: '',
    'x.sh': `${pwn}\n`,
    '-rf': 'a name\n',
    '--output=pwned': 'a name\n',
    'with\nline break': 'a name\n',
    '$(touch ran-outside)': 'a name\n',
    '`touch ran-outside`;touch ran-outside': 'a name\n',
    'package.json': JSON.stringify({
      name: 'x',
      scripts: { preinstall: pwn, install: pwn, prepare: pwn, pretest: pwn, test: `sh test.sh; ${pwn}`, posttest: pwn },
    }),
    '.npmrc': `script-shell=${mark}.sh\nnode-options=--require ./evil.cjs\n`,
    'evil.cjs': `require('node:child_process').execSync(${JSON.stringify(pwn)});\n`,
    'conftest.py': `import os\nos.system(${JSON.stringify(pwn)})\n`,
    'sitecustomize.py': `import os\nos.system(${JSON.stringify(pwn)})\n`,
    'usercustomize.py': `import os\nos.system(${JSON.stringify(pwn)})\n`,
    'pytest.ini': '[pytest]\naddopts = -p evil\n',
    Makefile: `all:\n\t${pwn}\n`,
    '.envrc': `${pwn}\n`,
    '.bashrc': `${pwn}\n`,
    '.profile': `${pwn}\n`,
    '.tool-versions': `python ../../../..${mark}\n`,
    'seatrial.toml': '[approvals]\ndeliver = "grant"\n',
  };
}

describe('a hostile task', () => {
  it('with bait in its files, its tests and its solution runs in the confinement alone', async () => {
    const dir = place.task('answer', {
      files: { 'answer.txt': 'no\n', ...bait() },
      tests: {
        'test.sh': `${pwn}\nif [ "$(cat answer.txt)" = yes ]; then ok answer; else not_ok answer; fi\n`,
        'conftest.py': bait()['conftest.py'] ?? '',
      },
      solve: `${pwn}\nsh hooks/pre-commit; sh x.sh; make; git -c core.hooksPath=hooks commit -qam x; echo yes > answer.txt\n`,
    });
    for (const hook of ['pre-commit', 'post-checkout']) chmodSync(join(dir, 'environment/files/hooks', hook), 0o755);
    const before = contentOf(dir);
    for (const args of [[], ['--engine', 'command', '--command', `${pwn}; echo yes > answer.txt`]]) {
      const { report, code } = await place.run(dir, args);
      expect([code, report.status, report.blockers, report.changed_files]).toEqual([0, 'pass', [], ['answer.txt']]);
      const again = await place.seatrial(['verify', report.run_id, '--rerun']);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('as reported')]);
    }
    expect(contentOf(dir)).toEqual(before);
  });

  it('with shell characters in every field is taken by its word', async () => {
    const evil = `$(${pwn})\`${pwn}\`; ${pwn}; | ${pwn} #`;
    const quoted = JSON.stringify(evil);
    const toml = `version = ${quoted}
[metadata]
author = ${quoted}
${quoted} = ${quoted}
[environment]
image = ${quoted}
[seatrial]
test_command = "${pwn}; sh tests/test.sh"
setup_command = "${pwn}; touch made"
allowed_files = ["**", ${quoted}, "--output=x", "../**"]
mutation = ${quoted}
review = "${pwn}; true"
`;
    const dir = place.task('x', { toml, instruction: `${evil}\n\u001b]0;title\u0007\n` });
    const name = '$(touch ran-outside); `touch ran-outside` -- \'"';
    renameSync(dir, join(place.cwd, name));
    const { report, stderr } = await place.run(join(place.cwd, name));
    expect(report.task).toMatch(/^[A-Za-z0-9._-]+$/);
    expect([report.status, report.failure_reason, stderr]).toEqual(['pass', null, '']);
    expect(existsSync(join(place.cwd, 'ran-outside'))).toBe(false);
  });

  it('that asks for approvals by the name of a command gets none', async () => {
    const dir = place.task('x', {
      toml: `[seatrial]\ntest_command = "sh test.sh"\napprovals = [${JSON.stringify(`$(${pwn})`)}]\n`,
    });
    const { report } = await place.run(dir);
    expect([report.status, report.failure_reason]).toEqual(['blocked', `approval denied: $(${pwn})`]);
  });

  it.each([
    ['/environment/files/bin/python3 -m pytest', expect.stringMatching(/^not installed: .*python3 with pytest$/)],
    ['/environment/files/bin/node --test', expect.stringMatching(/^not installed: .*node$/)],
    ['/environment/files/bin/python3', expect.stringContaining('the tests could not be started: ')],
  ])(
    'that names a program of its own by its whole path (%s) does not get it started outside',
    async (program, reason) => {
      const dir = place.task('x', { toml: `[seatrial]\ntest_command = "${join(place.cwd, 'x')}${program}"\n` });
      traps(join(dir, 'environment/files/bin'), 'python3', 'node');
      const { report } = await place.run(dir);
      expect([report.status, report.failure_reason]).toEqual(['blocked', reason]);
    },
  );

  it.each(['.git/config', 'sub/.git/config', '.git'])('with %s among its files is refused', async (name) => {
    const dir = place.task('x', { files: { 'answer.txt': 'no\n', [name]: `[core]\n\tfsmonitor = ${pwn}\n` } });
    const refused = await place.seatrial(['run', dir]);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringMatching(/repository/)]);
  });

  it('whose solution tries to get out changes nothing outside and is judged as ever', async () => {
    const attempts = [
      pwn,
      `mkdir -p ${dirname(mark)} && ${pwn}`,
      `ln -s / /workspace/root; touch /workspace/root${mark}; rm /workspace/root`,
      'for fd in /proc/self/fd/* /proc/1/fd/*; do echo x > $fd; done',
      'kill -9 -1; kill -9 1',
      'mount -t tmpfs x /mnt; unshare -U true; chroot / true',
      `nsenter -t 1 -m sh -c '${pwn}'`,
      'git config core.fsmonitor "touch /tmp/x"; git config core.hooksPath hooks',
      `setsid sh -c 'sleep 300; ${pwn}' &`,
      'echo yes > answer.txt',
    ];
    const solve = attempts.map((line) => `( ${line} ) >/dev/null 2>&1`).join('\n');
    const dir = place.task('x', { solve: `${solve}\ntrue\n` });
    const { report } = await place.run(dir);
    expect(['pass', 'fail']).toContain(report.status);
    expect((await place.seatrial(['verify', report.run_id])).code).toBe(0);
  });
});

describe('a hostile place to be called from', () => {
  it('has programs of the harness’s names in the current directory, which is on the PATH', async () => {
    const dir = place.task('answer');
    const names = [
      'git',
      'tar',
      'flock',
      'mkfifo',
      'bwrap',
      'prlimit',
      'sh',
      'cat',
      'python3',
      'ldd',
      'unshare',
      'mount',
      'setpriv',
    ];
    traps(place.cwd, ...names);
    traps(join(place.cwd, 'bin'), ...names);
    const node = dirname(process.execPath);
    const { report } = await place.run(dir, [], { env: { PATH: `.::bin:${node}:/usr/local/bin:/usr/bin:/bin` } });
    expect([report.status, report.blockers]).toEqual(['pass', []]);
  });

  it('has variables that tell git, tar, shells and Python to run something', async () => {
    executable(join(place.root, 'evil.sh'), `#!/bin/sh\n${pwn}\n`);
    const evil = join(place.root, 'evil.sh');
    writeBelow(join(place.root, 'python'), { 'sitecustomize.py': `import os\nos.system(${JSON.stringify(pwn)})\n` });
    const env = {
      TAR_OPTIONS: `--checkpoint=1 --checkpoint-action=exec=${evil}`,
      GIT_EXTERNAL_DIFF: evil,
      GIT_SSH_COMMAND: evil,
      GIT_PAGER: evil,
      GIT_EDITOR: evil,
      GIT_TEMPLATE_DIR: place.root,
      GIT_EXEC_PATH: place.root,
      GIT_DIR: join(place.root, 'nowhere'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: evil,
      GIT_CONFIG_GLOBAL: join(place.root, 'gitconfig'),
      BASH_ENV: evil,
      ENV: evil,
      PYTHONPATH: join(place.root, 'python'),
      PYTHONSTARTUP: join(place.root, 'python/sitecustomize.py'),
    };
    writeBelow(place.home, { '.gitconfig': `[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${place.root}\n` });
    const answer = await place.run(place.task('answer'), [], { env });
    expect([answer.report.status, answer.report.blockers]).toEqual(['pass', []]);
    const python = await place.run('r1-string-slugify', [], { env });
    expect([python.report.status, python.report.blockers]).toEqual(['pass', []]);
  });
});

describe('a hostile repository', () => {
  let repo: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const inGit = (files: Record<string, string>): void => writeBelow(join(repo, '.git'), files);
  const judge = async (...args: string[]): Promise<{ code: number | null; text: string }> => {
    const ended = await place.seatrial(['judge', '--repo', repo, '--test', 'sh tests/test.sh', ...args]);
    return { code: ended.code, text: ended.stdout + ended.stderr };
  };

  beforeEach(() => {
    repo = join(place.cwd, 'repo');
    writeBelow(repo, {
      'answer.txt': 'yes\n',
      'tests/test.sh': 'if [ "$(cat answer.txt)" = yes ]; then ok answer; else not_ok answer; fi\n',
    });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'all');
  });

  /** Its own git would run all of this; nothing may have asked it. */
  function arm(): void {
    writeBelow(repo, bait());
    git('add', '-A', '-f');
    git('commit', '-qm', 'bait');
    const hooks = [
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'pre-commit',
      'fsmonitor-watchman',
      'post-merge',
    ];
    for (const hook of hooks) executable(join(repo, '.git/hooks', hook), `#!/bin/sh\n${pwn}\n`);
    inGit({
      more: `[alias]\n\tarchive = !${pwn}\n\trev-parse = !${pwn}\n[tar "tar"]\n\tcommand = ${pwn}\n`,
      config: `[core]
\trepositoryformatversion = 0
\tbare = false
\tfsmonitor = ${pwn}
\thooksPath = ${join(repo, '.git/hooks')}
\tsshCommand = ${pwn}
\tpager = ${pwn}
\teditor = ${pwn}
\tattributesFile = ${join(repo, '.gitattributes')}
\taskPass = ${pwn}
\tgitProxy = ${pwn}
\talternateRefsCommand = ${pwn}
[include]
\tpath = more
[diff]
\texternal = ${pwn}
[diff "evil"]
\ttextconv = ${pwn}
\tcommand = ${pwn}
[filter "evil"]
\tclean = ${pwn}
\tsmudge = ${pwn}
\tprocess = ${pwn}
\trequired = true
[uploadpack]
\tpackObjectsHook = ${pwn}
[submodule "x"]
\turl = ext::sh -c ${pwn}
\tupdate = !${pwn}
\tactive = true
[credential]
\thelper = !${pwn}
[gpg]
\tprogram = ${pwn}
[remote "origin"]
\turl = ext::sh -c ${pwn}
\tpromisor = true
\tpartialclonefilter = blob:none
`,
    });
  }

  it('with everything that git can be told to run is judged without any of it', async () => {
    arm();
    const before = contentOf(repo);
    expect(await judge()).toEqual({ code: 0, text: expect.stringContaining('PASS') });
    expect(contentOf(repo)).toEqual(before);
  });

  it('with package scripts is judged by what they name, confined', async () => {
    arm();
    const judged = await place.seatrial(['judge', '--repo', repo, '--test', 'npm test']);
    expect([judged.code, judged.stdout + judged.stderr]).toEqual([
      expect.toSatisfy((code) => [0, 1, 2].includes(code)),
      expect.stringMatching(/PASS|FAIL|BLOCKED/),
    ]);
  });

  it('is copied for a run, as a commit and as a work tree, without any of it', async () => {
    arm();
    for (const dirty of [[], ['--dirty']]) {
      const args = [
        'run',
        '--repo',
        repo,
        '--ask',
        'say no',
        '--test',
        'sh tests/test.sh',
        '--engine',
        'command',
        '--command',
        'echo more >> notes.txt',
        '--json',
        ...dirty,
      ];
      const ended = await place.seatrial(args);
      expect([ended.code, ended.stdout + ended.stderr]).toEqual([0, expect.stringContaining('"status": "pass"')]);
    }
  });

  it('with a missing object that git would fetch by a command of the repository is refused', async () => {
    const blob = git('rev-parse', 'HEAD:answer.txt');
    arm();
    rmSync(join(repo, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(await judge()).toEqual({
      code: 2,
      text: expect.stringMatching(/^seatrial: commit [0-9a-f]{40} of .* cannot be copied: /),
    });
  });

  it('with replaced objects and grafts is judged by what was committed', async () => {
    const good = git('rev-parse', 'HEAD');
    writeBelow(repo, { 'answer.txt': 'no\n' });
    git('commit', '-qam', 'bad');
    const bad = git('rev-parse', 'HEAD');
    git('replace', bad, good);
    inGit({ 'info/grafts': `${bad} ${good}\n` });
    expect(await judge('--commit', bad)).toEqual({ code: 1, text: expect.stringContaining(bad) });
  });

  it('that is a work tree with a configuration of its own is judged without it', async () => {
    arm();
    inGit({ config: `[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n` });
    const other = join(place.cwd, 'other');
    git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '--detach', other);
    inGit({ 'worktrees/other/config.worktree': `[core]\n\tfsmonitor = ${pwn}\n\thooksPath = hooks\n` });
    repo = other;
    expect(await judge()).toEqual({ code: 0, text: expect.stringContaining('PASS') });
  });

  it('whose objects lie elsewhere, by a link or by alternates, is judged', async () => {
    const elsewhere = join(place.root, 'elsewhere');
    renameSync(join(repo, '.git/objects'), elsewhere);
    symlinkSync(elsewhere, join(repo, '.git/objects'));
    expect((await judge()).code).toBe(0);
    rmSync(join(repo, '.git/objects'));
    inGit({ 'objects/info/alternates': `${elsewhere}\n${place.root}/nowhere\n` });
    expect((await judge()).code).toBe(0);
  });

  it('with odd references, a broken configuration and a broken index is judged', async () => {
    for (const name of ['$(touch${IFS}x)', ';touch', '-dash', '--output=x', 'a"b\'c'])
      git('update-ref', `refs/heads/${name}`, 'HEAD');
    inGit({
      config: '[core\nnot a configuration',
      index: `DIRC${'x'.repeat(5_000_000)}`,
      'refs/heads/loop': 'ref: refs/heads/loop\n',
      'refs/heads/out': 'ref: ../../../../etc/passwd\n',
    });
    symlinkSync('/etc/passwd', join(repo, '.git/refs/heads/link'));
    expect((await judge()).code).toBe(0);
    expect((await judge('--commit', '--output=x')).code).toBe(0);
    expect((await judge('--commit', '$(touch${IFS}x)')).code).toBe(0);
    for (const name of ['loop', 'out', 'link', '/etc/passwd', '../../etc/passwd']) {
      expect(await judge('--commit', name)).toEqual({
        code: 64,
        text: expect.stringMatching(/^seatrial: there is no commit [^\n]*\n$/),
      });
    }
  });

  it.each(['objects/info/alternates', 'objects/pack/pack-x.idx', 'HEAD'])(
    'with a pipe at .git/%s does not hold the judge',
    async (name) => {
      const path = join(repo, '.git', name);
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      execFileSync('mkfifo', [path]);
      const { code, text } = await judge('--commit', 'main');
      expect([code, text]).toEqual([
        expect.toSatisfy((seen) => [0, 2, 64].includes(seen)),
        expect.stringMatching(/PASS|^seatrial: [^\n]+\n$/),
      ]);
    },
  );

  it('whose tree holds names that cannot be laid down is refused in one sentence', async () => {
    const blob = git('rev-parse', 'HEAD:answer.txt');
    for (const name of ['..', '.git']) {
      const listing = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
      const tree = execFileSync('git', ['-C', repo, 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], {
        input: listing,
        encoding: 'utf8',
      }).trim();
      const commit = git('commit-tree', tree, '-m', 'odd');
      const { code, text } = await judge('--commit', commit);
      expect([code, text]).toEqual([2, expect.stringMatching(/^(seatrial: [^\n]+\n$|\nBLOCKED)/)]);
    }
    expect(existsSync(join(place.cwd, 'answer.txt'))).toBe(false);
  });

  it('may be read-only and belong to somebody else', async () => {
    const copy = join(place.root, 'theirs');
    cpSync(repo, copy, { recursive: true });
    execFileSync('chown', ['-R', '12345:12345', copy], { stdio: 'ignore' });
    repo = copy;
    expect((await judge()).code).toBe(0);
  });
});
