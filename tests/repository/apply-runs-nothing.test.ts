import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeBelow } from '../support/seatrial.ts';
import { FIX, Project } from '../support/project.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

/** Every hook that git has for work on the client's side. */
const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-rebase',
  'prepare-commit-msg',
  'reference-transaction',
];

const ATTRIBUTES = '*.py filter=own diff=own merge=own\n';

let project: Project;
/** Programs leave a file here, named as they are. */
let canaries: string;
/** A run whose patch mends the bug and replaces every program that lies in the repository by one that leaves a canary. */
let runId: string;

beforeAll(async () => {
  project = new Project();
  canaries = join(project.root, 'canaries');
  mkdirSync(canaries, { mode: 0o777 });
  executable(join(project.repo, 'tools/filter'), '#!/bin/sh\ncat\n');
  executable(join(project.repo, 'tools/monitor'), '#!/bin/sh\nexit 1\n');
  const configuration = '[user]\n\tsigningKey = none\n';
  project.commit({ '.gitattributes': ATTRIBUTES, '.gitconfig': configuration }, 'programs of the repository');
  const planted = {
    // Git writes files in the order of their names, so this one comes after the programs.
    'zones.py': 'ZONES = []\n',
    'tools/filter': `${bait('patched filter')}\ncat\n`,
    'tools/monitor': `${bait('patched monitor')}\nexit 1\n`,
    ...Object.fromEntries(HOOKS.map((hook) => [`.githooks/${hook}`, `${bait(`patched ${hook}`)}\n`])),
    '.gitconfig': `[core]\n\thooksPath = .githooks\n\tfsmonitor = tools/monitor\n[filter "own"]\n\tsmudge = tools/filter\n`,
  };
  const lines = Object.entries(planted).map(([path, text]) => {
    const encoded = Buffer.from(text).toString('base64');
    return `mkdir -p ${dirname(path)}; echo ${encoded} | base64 -d > ${path}; chmod 755 ${path}`;
  });
  const { report } = await project.ask([FIX, ...lines].join('\n'), ['--allow', '**']);
  expect(report.changed_files).toContain('.githooks/post-merge');
  runId = report.run_id;
});
afterAll(() => project.remove());
beforeEach(() => {
  for (const name of readdirSync(canaries)) rmSync(join(canaries, name));
  rmSync(join(project.home, '.gitconfig'), { force: true });
});

function bait(name: string): string {
  return `#!/bin/sh\ntouch '${join(canaries, name)}'`;
}

/** The path of a program outside of any repository. */
function program(name: string, rest = 'exit 0'): string {
  const path = join(project.root, 'programs', name.replaceAll(' ', '-'));
  executable(path, `${bait(name)}\n${rest}\n`);
  return path;
}

function executable(path: string, text: string): void {
  writeBelow(dirname(path), { [basename(path)]: text });
  chmodSync(path, 0o755);
}

const seen = (): string[] => readdirSync(canaries).toSorted();

interface Mechanism {
  readonly name: string;
  /** Sets the repository up so that git would run a program. */
  readonly arm: (dir: string, set: (name: string, value: string) => void) => void;
  /** What a person would type that does run it; absent: nothing does on every version of git. */
  readonly fires?: readonly (readonly string[])[];
}

const again = [
  ['switch', '--quiet', '--detach', 'HEAD~1'],
  ['switch', '--quiet', '-'],
];

const MECHANISMS: readonly Mechanism[] = [
  {
    name: 'hooks in the git directory',
    arm: (dir) => {
      for (const hook of HOOKS) executable(join(dir, '.git/hooks', hook), `${bait(hook)}\n`);
    },
    fires: again,
  },
  {
    name: 'hooks that the patch brings, by core.hooksPath',
    arm: (_dir, set) => set('core.hooksPath', '.githooks'),
    fires: again,
  },
  {
    name: 'a smudge and a clean filter that the patch changes',
    arm: (_dir, set) => {
      set('filter.own.smudge', './tools/filter');
      set('filter.own.clean', './tools/filter');
      set('filter.own.required', 'true');
    },
    fires: again,
  },
  {
    name: 'a filter process',
    arm: (_dir, set) => {
      set('filter.own.process', program('filter process', 'exit 1'));
      set('filter.own.required', 'true');
    },
    fires: again,
  },
  {
    name: 'a filter of the caller, for all his repositories',
    arm: () =>
      writeBelow(project.home, {
        '.gitconfig': `[filter "own"]\n\tsmudge = '${program('global filter', 'cat')}'\n\tclean = cat\n[core]\n\thooksPath = .githooks\n`,
      }),
    fires: again,
  },
  {
    name: 'a file system monitor',
    arm: (_dir, set) => set('core.fsmonitor', program('monitor', 'exit 1')),
    fires: [['status']],
  },
  {
    name: 'external diffs and text conversions',
    arm: (_dir, set) => {
      set('diff.external', program('diff.external'));
      set('diff.own.command', program('diff command'));
      set('diff.own.textconv', program('textconv'));
    },
    fires: [['diff', 'HEAD~1']],
  },
  {
    name: 'programs that sign',
    arm: (_dir, set) => {
      set('commit.gpgSign', 'true');
      set('gpg.program', program('gpg', 'exit 1'));
      set('user.signingKey', 'none');
    },
    fires: [['commit', '--allow-empty', '-m', 'x']],
  },
  {
    name: 'editors, pagers and aliases',
    arm: (_dir, set) => {
      for (const name of ['core.editor', 'sequence.editor', 'core.pager', 'pager.config', 'pager.status'])
        set(name, program(name));
      for (const alias of ['update-ref', 'read-tree', 'config', 'rev-parse', 'merge-tree', 'mine'])
        set(`alias.${alias}`, `!${program('alias')}`);
    },
    fires: [['mine']],
  },
  {
    name: 'submodules that are updated along',
    arm: (dir, set) => {
      set('submodule.recurse', 'true');
      set('submodule.x.url', `ext::${program('submodule url')}`);
      set('submodule.x.update', `!${program('submodule update')}`);
      set('submodule.x.active', 'true');
      set('protocol.ext.allow', 'always');
      writeFileSync(join(dir, '.gitmodules'), '[submodule "x"]\n\tpath = x\n\turl = ./x\n');
    },
  },
  {
    name: 'a configuration file of the repository, which the patch changes',
    arm: (_dir, set) => set('include.path', '../.gitconfig'),
    fires: again,
  },
  {
    name: 'a configuration file that is included on a condition',
    arm: (dir, set) => {
      const more = join(project.root, 'more.gitconfig');
      writeFileSync(more, `[core]\n\thooksPath = .githooks\n[filter "own"]\n\tsmudge = ./tools/filter\n`);
      set(`includeIf.gitdir:${dir}/.path`, more);
      set('includeIf.onbranch:**.path', more);
    },
    fires: again,
  },
  {
    name: 'hooks that stand in the configuration',
    arm: (_dir, set) => {
      for (const event of HOOKS) {
        set(`hook.own ${event}=x.event`, event);
        set(`hook.own ${event}=x.command`, program(`configured ${event}`));
      }
    },
  },
  {
    name: 'cleaning up in the background',
    arm: (_dir, set) => {
      set('gc.auto', '1');
      set('gc.autoDetach', 'false');
      set('core.hooksPath', '.githooks');
    },
    fires: again,
  },
  {
    name: 'helpers that ask for credentials, and transports',
    arm: (_dir, set) => {
      set('credential.helper', program('credential helper'));
      set('core.askPass', program('askPass'));
      set('core.sshCommand', program('ssh'));
      set('core.gitProxy', program('gitProxy'));
      set('core.alternateRefsCommand', program('alternateRefsCommand'));
      set('uploadpack.packObjectsHook', program('packObjectsHook'));
      set('remote.origin.url', 'ssh://nobody@localhost/x');
      set('remote.origin.promisor', 'true');
      set('remote.origin.partialCloneFilter', 'blob:none');
    },
    fires: [['fetch', 'origin']],
  },
];

const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ['on the current branch', []],
  ['with --branch', ['--branch', 'fix/total']],
];

describe.each(someOf(MECHANISMS))('$name', ({ name, arm, fires }) => {
  test.each(WAYS)('%s: nothing of it runs', async (way, args) => {
    const dir = project.copy(`${name} ${way}`);
    arm(dir, (setting, value) => project.gitIn(dir, 'config', '--add', setting, value));
    const loud = { GIT_EXTERNAL_DIFF: program('GIT_EXTERNAL_DIFF'), GIT_SSH_COMMAND: program('GIT_SSH_COMMAND') };
    const ended = await project.apply(runId, ['--unproven', '--repo', dir, ...args], { env: loud });
    expect({ ...ended, canaries: seen() }).toMatchObject({ code: 0, canaries: [] });
    expect(readFileSync(join(dir, 'sum.py'), 'utf8')).toContain('return sum(numbers)');

    // A person's own git, told to run nothing either, finds commit, index and files in order.
    const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'filter.own.required=false'];
    const unfiltered = ['smudge', 'clean', 'process'].flatMap((kind) => ['-c', `filter.own.${kind}=`]);
    const plainGit = (...command: string[]): string => project.gitIn(dir, ...quiet, ...unfiltered, ...command);
    expect(plainGit('status', '--porcelain', '--untracked-files=no')).toBe('');
    expect(plainGit('symbolic-ref', '--short', 'HEAD')).toBe(args[1] ?? 'main');
    expect(plainGit('diff-tree', '-r', '--name-only', '--no-commit-id', 'HEAD')).toContain('sum.py');
    expect(seen()).toEqual([]);

    // The same bait does work on whoever calls git by hand.
    for (const command of fires ?? []) attempt(() => project.gitIn(dir, ...command));
    expect(seen().length > 0).toBe(fires !== undefined);
  });
});

/** The programs are no good for what git wants of them, so it may well fail. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

test('a merge driver of the repository does not run where its files are merged', async () => {
  const dir = project.copy('merged');
  project.gitIn(dir, 'config', 'merge.own.driver', program('merge driver'));
  const base = project.gitIn(dir, 'rev-parse', 'HEAD');
  const moved = readFileSync(join(dir, 'sum.py'), 'utf8').replace('max(', 'max(*');
  writeFileSync(join(dir, 'sum.py'), `${moved}\n\n# moved on\n`);
  project.gitIn(dir, 'commit', '--quiet', '--all', '-m', 'moved on');
  const ended = await project.apply(runId, ['--unproven', '--repo', dir, '--branch', 'fix']);
  expect({ ...ended, canaries: seen() }).toMatchObject({ code: 0, canaries: [] });
  expect(ended.stdout).toContain('merged as');
  expect(readFileSync(join(dir, 'sum.py'), 'utf8')).toMatch(/return sum\(numbers\)[^]*# moved on/);

  project.gitIn(dir, 'switch', '--quiet', '--create', 'by-hand', base);
  writeFileSync(join(dir, 'sum.py'), readFileSync(join(dir, 'sum.py'), 'utf8').replace('numbers[1:]', 'numbers'));
  project.gitIn(dir, 'commit', '--quiet', '--all', '-m', 'by hand');
  attempt(() => project.gitIn(dir, 'merge', 'main'));
  expect(seen()).toEqual(['merge driver']);
});

test('objects that a partial clone lacks are not fetched', async () => {
  const dir = project.copy('partial');
  const blob = project.gitIn(dir, 'rev-parse', 'HEAD:sum.py');
  rmSync(join(dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  project.gitIn(dir, 'config', 'protocol.ext.allow', 'always');
  project.gitIn(dir, 'config', 'remote.origin.url', `ext::${program('transport')}`);
  project.gitIn(dir, 'config', 'remote.origin.promisor', 'true');
  project.gitIn(dir, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  project.gitIn(dir, 'config', 'core.repositoryFormatVersion', '1');
  project.gitIn(dir, 'config', 'extensions.partialClone', 'origin');
  const before = project.gitIn(dir, 'rev-parse', 'HEAD');
  for (const args of [[], ['--branch', 'fix'], ['--branch', 'fix', '--no-checkout']]) {
    const ended = await project.apply(runId, ['--unproven', '--repo', dir, ...args]);
    expect({ ...ended, canaries: seen() }).toMatchObject({ code: 2, canaries: [] });
    expect(ended.stderr).toContain('is a partial clone and apply fetches nothing');
  }
  expect(project.gitIn(dir, 'for-each-ref', '--format=%(refname) %(objectname)')).toBe(`refs/heads/main ${before}`);
  attempt(() => project.gitIn(dir, 'cat-file', '-p', blob));
  expect(seen()).toEqual(['transport']);
});

test('a caller whose environment points git elsewhere still gets the repository that the run is of', async () => {
  const dir = project.copy('environment');
  const other = project.copy('another');
  const env = {
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    GIT_EXEC_PATH: join(project.root, 'programs'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '.githooks',
  };
  program('git-update-ref');
  program('git');
  const before = project.gitIn(other, 'rev-parse', 'HEAD');
  const ended = await project.apply(runId, ['--unproven', '--repo', dir], { env });
  expect({ ...ended, canaries: seen() }).toMatchObject({ code: 0, canaries: [] });
  expect(project.gitIn(dir, 'rev-parse', 'HEAD~1')).toBe(before);
  expect(project.gitIn(other, 'rev-parse', 'HEAD')).toBe(before);
  expect(project.gitIn(other, 'status', '--porcelain')).toBe('');
});

test('a work tree that the configuration puts elsewhere is not written to', async () => {
  const dir = project.copy('elsewhere');
  const elsewhere = join(project.root, 'target');
  mkdirSync(elsewhere);
  project.gitIn(dir, 'config', 'core.worktree', elsewhere);
  for (const args of [[], ['--branch', 'fix']]) {
    const ended = await project.apply(runId, ['--unproven', '--repo', dir, ...args]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain(`is ${elsewhere} (core.worktree), and apply writes only below ${dir}`);
  }
  expect(readdirSync(elsewhere)).toEqual([]);
  const aside = await project.apply(runId, ['--unproven', '--repo', dir, '--branch', 'fix', '--no-checkout']);
  expect(aside).toMatchObject({ code: 0 });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(project.gitIn(dir, 'show', 'fix:sum.py')).toContain('return sum(numbers)');
});
