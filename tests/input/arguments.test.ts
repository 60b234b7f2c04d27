import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { usageError } from '../support/one-sentence.ts';

const place = new Place();
afterAll(() => place.remove());
place.task('answer');
writeFileSync(join(place.cwd, 'plain.txt'), 'hello\n');

const WRONG: Readonly<Record<string, readonly (readonly [args: readonly string[], saying: string])[]>> = {
  'the command': [
    [['rum'], 'unknown command "rum"; `seatrial --help` lists the commands'],
    [['--verbose'], 'unknown command "--verbose"'],
    [['runs', 'lst'], "unknown command 'lst'"],
    [['task', 'chek', 'answer'], "unknown command 'chek'"],
    [['key'], '`seatrial key` needs a subcommand: show'],
    [['runs', 'export', 'x', '--format', 'y'], 'see `seatrial runs export --help`'],
  ],
  'a number of arguments': [
    [['run', 'answer', 'twice'], 'too many arguments'],
    [['verify'], 'no run given'],
    [['verify', '--all', 'x'], '--all takes neither a run nor --rerun'],
    [['verify', '--all', '--rerun'], '--all takes neither a run nor --rerun'],
    [['runs', 'show'], "missing required argument 'run'"],
    [['runs', 'list', 'x'], 'too many arguments'],
    [['runs', 'prune'], 'give --keep <n>, --older-than <days>, or both'],
    [['matrix', 'x'], 'too many arguments'],
    [['task', 'check'], 'no task given; give a task directory'],
    [['key', 'show', 'x'], 'too many arguments'],
  ],
  'the engine': [
    [['run', 'answer', '--engine', 'gpt'], 'unknown engine "gpt"; the engines are fake, command'],
    [['run', 'answer', '--engine', ''], 'unknown engine ""'],
    [['run', 'answer', '--engine', 'command'], "--engine command needs a shell line: --command '<shell line>'"],
    [['run', 'answer', '--engine', 'command', '--command', ' '], '--engine command needs a shell line'],
    [['run', 'answer', '--command', 'true'], '--command requires --engine command'],
    [['run', 'answer', '--misbehave', 'sulking'], 'unknown misbehaviour "sulking"; the misbehaviours are no diff, '],
    [['run', 'answer', '--engine', 'command', '--command', 'true', '--misbehave', 'no diff'], '--misbehave requires'],
    [['matrix', '--engine', 'command'], "'command' is invalid. Allowed choices are fake"],
  ],
  'the value of an option': [
    [['run', 'answer', '--confine', 'docker'], "'docker' is invalid. Allowed choices are bubblewrap, none"],
    [['run', 'answer', '--repeat', '0'], '--repeat takes a whole number of at least 1, not "0"'],
    [['run', 'answer', '--repeat', 'many'], '--repeat takes a whole number of at least 1, not "many"'],
    [['run', 'answer', '--repeat', ''], '--repeat takes a whole number'],
    [['run', 'answer', '--jobs', '-1'], '--jobs takes a whole number of at least 1, not "-1"'],
    [['run', 'answer', '--jobs', '1.5'], '--jobs takes a whole number of at least 1, not "1.5"'],
    [['run', 'answer', '--jobs', '0x2'], '--jobs takes a whole number of at least 1, not "0x2"'],
    [['matrix', '--jobs', '0'], '--jobs takes a whole number of at least 1'],
    [['run', 'answer', '--runs'], "'--runs <dir>' argument missing"],
    [['run', 'answer', '--runs', ''], '--runs must not be empty'],
    [['run', 'answer', '--unknown'], "unknown option '--unknown'"],
    [['runs', 'list', '--newest', '0'], '--newest takes a whole number of at least 1'],
    [['runs', 'list', '--newest', '2', '--all'], 'give --newest <n> or --all, not both'],
    [['runs', 'prune', '--keep', 'x'], '--keep takes a whole number of at least 0'],
    [['runs', 'prune', '--older-than', '-1'], '--older-than takes a whole number of at least 0'],
    [['verify', 'x', '--key', 'missing.pem'], 'missing.pem is not a readable public key'],
    [['verify', 'x', '--key', 'plain.txt'], 'plain.txt is not a readable public key'],
  ],
  'a run or runs directory': [
    [['verify', 'nope'], 'no run "nope" in '],
    [['verify', ''], 'no run "" in '],
    [['verify', '.'], 'no run "." in '],
    [['verify', 'plain.txt'], 'no run "plain.txt" in '],
    [['runs', 'show', '../answer'], 'no run "../answer" in '],
    [['runs', 'open', 'nope'], 'no run "nope" in '],
    [['verify', '--all'], 'there is no runs directory '],
    [['verify', '--all', '--runs', 'missing'], 'there is no runs directory missing'],
    [['runs', 'list', '--runs', 'missing'], 'there is no runs directory missing'],
    [['runs', 'list', '--runs', 'plain.txt'], 'cannot read the runs directory plain.txt'],
    [['runs', 'recover', '--runs', 'missing'], 'there is no runs directory missing'],
    [['runs', 'prune', '--keep', '1', '--runs', 'missing'], 'there is no runs directory missing'],
  ],
  'what is asked of a repository': [
    [['run', 'answer', '--repo', '.', '--ask', 'x'], 'give a task (answer) or --repo, not both'],
    [['run', 'answer', '--ask', 'x'], '--ask requires --repo'],
    [['run', 'answer', '--test', 'x'], '--test requires --repo'],
    [['run', '--repo', '.'], 'no instruction given'],
    [['run', '--repo', '.', '--ask', ' '], 'no instruction given'],
    [['run', '--repo', '.', '--ask', 'x', '--ask-file', 'y'], 'give --ask or --ask-file, not both'],
    [['run', '--repo', '.', '--ask-file', 'missing.md'], 'cannot read missing.md'],
    [['run', '--repo', '.', '--ask', 'x', '--test', 'true'], 'is not a git repository'],
    [['run', '--repo', 'missing', '--ask', 'x', '--test', 'true'], 'is not a git repository'],
  ],
  'the task': [
    [['run'], 'no task given'],
    [['run', ''], 'no task ""'],
    [['run', 'answr'], 'no task "answr": give a task directory or one of node-duration, '],
    [['run', 'answer/missing'], 'no task "answer/missing"'],
    [['run', '.'], '. is not a task: it has neither task.toml nor task.yaml'],
    [['run', 'plain.txt'], 'plain.txt is not a task: it is not a directory'],
    [['run', 'plain.txt/x'], 'plain.txt/x is not a task: it is not a directory'],
    [['task', 'check', 'answr'], 'no task "answr"'],
  ],
};

for (const [what, calls] of Object.entries(WRONG)) {
  it(`${what} that is wrong gets one sentence and exit 64`, async () => {
    const waiting = [...calls];
    const callInTurn = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        expect(usageError(await place.seatrial(next[0]))).toContain(next[1]);
      }
    };
    await Promise.all([callInTurn(), callInTurn()]);
  });
}

it('settings that are wrong name every fault with its place', async () => {
  const settings = join(place.cwd, 'seatrial.toml');
  writeFileSync(settings, 'runs = "here"\nrans = "there"\n[confine]\nreadonly = []\n[approvals]\ndeliver = "maybe"\n');
  const unknown = await place.seatrial(['run', 'answer']);
  expect(usageError(unknown)).toContain('unknown key rans');
  expect(usageError(unknown)).toContain('unknown key confine.readonly');
  expect(usageError(unknown)).toContain('approvals.deliver must be one of grant, deny');
  writeFileSync(settings, 'runs = "here"\nadmissions = here\n');
  expect(usageError(await place.seatrial(['runs']))).toContain('seatrial.toml line 2, column 14');
  writeFileSync(settings, Buffer.from([0xff, 0xfe, 0x00]));
  expect(usageError(await place.seatrial(['verify', '--all']))).toContain('seatrial.toml is not UTF-8 text');
});

it('help is what was asked for: exit 0, on stdout', async () => {
  for (const args of [['--help'], ['run', '--help'], ['runs', 'prune', '--help'], ['verify', '-h']]) {
    const { code, stdout, stderr } = await place.seatrial(args, { cwd: place.home });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: seatrial');
  }
});

it('no wrong call leaves a run or a runs directory behind', () => {
  expect(place.runDirs()).toEqual([]);
});
