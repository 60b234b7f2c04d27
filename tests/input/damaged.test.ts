import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { sentenceOf } from '../support/one-sentence.ts';

const place = new Place();
const sound = join(place.root, 'sound');
const damaged = join(place.root, 'damaged');

beforeAll(async () => {
  place.task('answer');
  const { run_dir: dir } = JSON.parse((await place.seatrial(['run', 'answer', '--json'])).stdout);
  cpSync(dir, sound, { recursive: true });
});
afterAll(() => place.remove());

describe.each([
  ['is empty', ''],
  ['is no JSON', '{{'],
  ['is of another form', '{"a":1,"b":{"c":2}}'],
])('a bundle whose report %s', (_what, text) => {
  beforeAll(() => {
    rmSync(damaged, { recursive: true, force: true });
    cpSync(sound, damaged, { recursive: true });
    writeFileSync(join(damaged, 'report.json'), text);
  });

  it.each<[args: readonly string[], exit: number]>([
    [['runs', 'show', damaged], 3],
    [['apply', damaged], 2],
    [['run', '--replay', damaged], 64],
  ])('gets one sentence from %j', async (args, exit) => {
    const sentence = sentenceOf(await place.seatrial(args), exit);
    expect(sentence).toContain('report.json');
    expect(sentence.length).toBeLessThan(600);
  });

  it('gets one line in the list of runs, below its headings', async () => {
    const { code, stdout } = await place.seatrial(['runs', '--runs', place.root]);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect([code, head]).toEqual([0, expect.stringMatching(/^STATUS +RUN +ENGINE +TIME +REASON$/)]);
    expect(lines.filter((line) => line.startsWith('damaged '))).toHaveLength(1);
    expect(lines).toHaveLength(2);
  });
});

it('a repository that git cannot read gets one sentence with the words of git', async () => {
  const repo = join(place.root, 'broken');
  mkdirSync(repo);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      encoding: 'utf8',
    });
  git('init', '--quiet');
  writeFileSync(join(repo, 'a.txt'), 'a\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'a');
  const tree = git('rev-parse', 'HEAD^{tree}').trim();
  rmSync(join(repo, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  for (const args of [
    ['judge', '--repo', repo, '--test', 'true'],
    ['run', '--repo', repo, '--ask', 'x', '--test', 'true', '--engine', 'command', '--command', 'true'],
    ['run', '--repo', repo, '--dirty', '--ask', 'x', '--test', 'true', '--engine', 'command', '--command', 'true'],
  ])
    expect(sentenceOf(await place.seatrial(args), 2)).toMatch(/git|object|read/);
});
