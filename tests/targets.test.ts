import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { NoTargetInspection } from '../src/evidence/schema/no-target.ts';
import type { Report } from '../src/evidence/schema/report.ts';
import { Place } from './support/seatrial.ts';

const isRoot = process.getuid?.() === 0;
const strace = spawnSync('strace', ['--version']).error === undefined;
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

let place = new Place();
afterEach(() => {
  place.remove();
  place = new Place();
});

const by = (line: string): string[] => ['--engine', 'command', '--command', line];
/** The engine learns of the target by a file of the task, which is not part of what it is told. */
const BY_SCRIPT = by('sh look.sh; echo yes > answer.txt');
const withScript = (look: string) => ({ files: { 'answer.txt': 'no\n', 'look.sh': look } });

function configure(targets: readonly string[], readOnly: readonly string[] = []): void {
  const text = `target_paths = ${JSON.stringify(targets)}\n[confine]\nread_only = ${JSON.stringify(readOnly)}\n`;
  writeFileSync(join(place.cwd, 'seatrial.toml'), text);
}

const inspectionOf = ({ run_dir }: Report): NoTargetInspection =>
  JSON.parse(readFileSync(join(run_dir, 'stage2-no-target-inspection.json'), 'utf8')) as NoTargetInspection;
const said = ({ run_dir }: Report): string => readFileSync(join(run_dir, 'backend/stdout.log'), 'utf8');

/** A directory outside the project with one file. */
function makeTarget(name = 'target'): string {
  const dir = join(place.root, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'letter.txt'), 'a word for nobody\n');
  return dir;
}

/** A directory of /usr that programs do not need and that holds files. */
const BELOW_USR = ['/usr/share/doc', '/usr/share/common-licenses', '/usr/share/info', '/usr/share/man'].find(
  (dir) => existsSync(dir) && readdirSync(dir).length > 0,
);

it('a target below a system directory is hidden, and an audit shows what was tried', async (ctx) => {
  if (BELOW_USR === undefined) return ctx.skip('there is nothing to hide below /usr/share');
  configure([BELOW_USR]);
  place.task('task', withScript(`ls -A ${BELOW_USR}; find ${BELOW_USR} -type f | head -1 | xargs -r cat`));
  const { report, code } = await place.run('task', [...(strace ? ['--audit'] : []), ...BY_SCRIPT]);
  expect({ code, conclusion: report.target_conclusion, said: said(report) }).toEqual({
    code: 0,
    conclusion: 'not reachable',
    said: '',
  });
  expect(inspectionOf(report)).toMatchObject({
    conclusion: 'not reachable',
    masked: expect.arrayContaining([BELOW_USR]),
    shown: expect.arrayContaining([{ source: '/usr', target: '/usr', mode: 'ro' }]),
    targets: [{ path: BELOW_USR, given_by: 'settings', shown_at: [BELOW_USR] }],
  });
  expect(await place.seatrial(['verify', report.run_dir])).toMatchObject({ code: 0 });
});

it('a target in a directory that is shown on purpose is hidden too', async () => {
  const target = makeTarget('shown');
  mkdirSync(join(target, 'secret'));
  writeFileSync(join(target, 'secret/letter.txt'), 'a word for nobody\n');
  configure([join(target, 'secret')], [target]);
  place.task('task', withScript(`cat ${target}/letter.txt ${target}/secret/letter.txt`));
  const { report } = await place.run('task', BY_SCRIPT);
  expect([report.status, report.target_conclusion, said(report)]).toEqual([
    'pass',
    'not reachable',
    'a word for nobody\n',
  ]);
});

/** What came of a run, and of checking its bundle. */
async function outcomeOf(args: readonly string[]) {
  const { stdout, code } = await place.seatrial(['run', '--json', ...args]);
  const report = JSON.parse(stdout) as Report;
  const verified = await place.seatrial(['verify', report.run_dir]);
  return {
    code,
    reason: report.failure_reason,
    started: report.backend_process_started,
    conclusion: report.target_conclusion,
    verified: verified.code,
  };
}

/** Blocked before the engine started. */
const blocked = (where: RegExp) => ({
  code: 2,
  reason: expect.stringMatching(where),
  started: false,
  conclusion: 'reachable',
  verified: 0,
});

it('a target that is a system directory blocks', async () => {
  configure(['/usr']);
  expect(await outcomeOf([place.task('task'), ...by('true')])).toEqual(
    blocked(/^target reachable: \/usr is shown at \/usr$/),
  );
});

it('a part of a target that is to be shown blocks, also through a link', async () => {
  const target = makeTarget();
  mkdirSync(join(target, 'part'));
  symlinkSync(join(target, 'part'), join(place.root, 'link'));
  configure([target], [join(place.root, 'link')]);
  expect(await outcomeOf([place.task('task'), ...by('true')])).toEqual(
    blocked(/^target reachable: .*target is shown at /),
  );
});

it.each([
  ['the instruction', (target: string) => ({ instruction: `Look into ${target}/letter.txt.\n` }), 'task contract'],
  ['a variable of the task', (target: string) => ({ toml: taskWithVariable(target) }), 'task contract'],
])('a target that is named in %s blocks', async (_where, parts, what) => {
  const target = makeTarget();
  configure([target]);
  const task = place.task('task', parts(target));
  expect(await outcomeOf([task, ...by('true')])).toEqual(
    blocked(new RegExp(`^target reachable: .* is named in the ${what}$`)),
  );
});

it('a target that is named in the command blocks, under its other name too', async () => {
  const target = makeTarget();
  symlinkSync(target, join(place.root, 'alias'));
  configure([join(place.root, 'alias')]);
  const task = place.task('task');
  for (const path of [target, join(place.root, 'alias'), target.replace('/target', '//./target/')])
    expect(await outcomeOf([task, ...by(`cat ${path}`)])).toEqual(blocked(/ is named in the command arguments$/));
});

it('a neighbour with a longer name is no target', async () => {
  const target = makeTarget();
  configure([target]);
  const { report } = await place.run(place.task('task'), by(`true ${target}-old ${target}.bak; echo yes > answer.txt`));
  expect([report.status, report.target_conclusion]).toEqual(['pass', 'not reachable']);
});

it.each([
  ['is', ''],
  ['lies in', '/repo'],
  ['holds', '/..'],
])('a repository that %s a target blocks', async (_how, below) => {
  const target = makeTarget();
  const repo = join(target, below);
  mkdirSync(repo, { recursive: true });
  const init = 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m base';
  expect(spawnSync('sh', ['-c', init], { cwd: repo }).status).toBe(0);
  configure([target]);
  const args = ['--repo', repo, '--ask', 'say yes', '--test', 'sh test.sh', ...by('true')];
  expect(await outcomeOf(args)).toEqual(blocked(/^target reachable: .*(overlap|is named in the task contract)$/));
});

it('a task directory in a target blocks', async () => {
  configure([place.cwd]);
  expect(await outcomeOf([place.task('task'), ...by('true')])).toEqual(blocked(/^target reachable: .* overlap$/));
});

it('without confinement every target is reachable', async () => {
  configure([makeTarget()]);
  expect(await outcomeOf([place.task('task'), '--confine', 'none', ...by('true')])).toEqual(
    blocked(/^target reachable: .*, because nothing is confined$/),
  );
});

it('a target behind a second mount is hidden there too', async (ctx) => {
  if (!canMount) return ctx.skip('only root can mount');
  const target = makeTarget();
  const around = join(place.root, 'around');
  mkdirSync(join(around, 'again'), { recursive: true });
  configure([target], [around]);
  place.task('task', withScript(`ls ${around}; cat ${around}/again/letter.txt`));
  const through = ['unshare', '--mount', '--', 'sh', '-c', `mount --bind ${target} ${around}/again && exec "$@"`, 'sh'];
  const { report } = await place.run('task', BY_SCRIPT, { through });
  expect([report.status, report.target_conclusion, said(report)]).toEqual(['pass', 'not reachable', 'again\n']);
});

it('a run without targets says so, and that it is no evidence for a stage', async () => {
  const { report } = await place.run(place.task('task'), by('echo yes > answer.txt'));
  expect([report.status, report.target_conclusion]).toEqual(['pass', 'no targets configured']);
  const page = readFileSync(join(report.run_dir, 'report.md'), 'utf8');
  expect(page).toContain('no targets configured, so this run is no evidence for stage 2 and above');
});

function taskWithVariable(target: string): string {
  return `[seatrial]\ntest_command = "sh test.sh"\nenv = { WHERE = ${JSON.stringify(target)} }\n`;
}
