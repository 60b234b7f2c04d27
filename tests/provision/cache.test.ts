import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type AskOptions, Counter, Workshop } from '../support/workshop.ts';

/** Asks the counter, and leaves a directory of dependencies, a file of its own and one beside the tree's. */
const SETUP = `
import { mkdirSync, writeFileSync } from 'node:fs';
const word = await (await fetch(process.env.COUNTER_URL)).text();
mkdirSync('node_modules/word', { recursive: true });
writeFileSync('node_modules/word/word.txt', word);
writeFileSync('src/made.txt', word);
writeFileSync('made.txt', word);
`;
const FILES = {
  'setup.mjs': SETUP,
  'src/answer.txt': 'no',
  '.seatrial/task.toml': 'version = "1.0"\n[seatrial]\nsetup_command = "node setup.mjs"\n',
  'seatrial.toml': '',
};
const FIX = 'cat node_modules/word/word.txt > src/answer.txt';
const TEST = `[ "$(cat src/answer.txt src/made.txt made.txt node_modules/word/word.txt)" = yesyesyesyes ]`;

let workshop: Workshop;
let counter: Counter;
let repo: string;
let asking: AskOptions;
beforeEach(async () => {
  workshop = new Workshop();
  counter = await Counter.open();
  repo = workshop.repository('words', FILES);
  writeFileSync(join(workshop.cwd, 'seatrial.toml'), '[confine]\nprovision_env = ["COUNTER_URL"]\n');
  asking = { test: TEST, env: { COUNTER_URL: counter.url } };
});
afterEach(() => {
  counter.close();
  workshop.remove();
});

const passes = (report: Report): void => expect([report.status, report.blockers]).toEqual(['pass', []]);
const inEntry = (...parts: string[]): string => join(workshop.cache, workshop.entries()[0] ?? '', ...parts);

describe('what a setup made', () => {
  test('is made once, and the next run spends nothing on it', async () => {
    const first = await workshop.ask(repo, FIX, asking);
    passes(first.report);
    const second = await workshop.ask(repo, FIX, asking);
    passes(second.report);
    expect(counter.asked).toBe(1);
    const { cached, duration_ms, ...same } = second.report.provision ?? {};
    expect([cached, first.report.provision?.cached]).toEqual([true, false]);
    expect(first.report.provision).toMatchObject({ ...same, setup_command: 'node setup.mjs', lockfile: null });
    expect(duration_ms).toBeTypeOf('number');
    expect(second.report.changed_files).toEqual(['src/answer.txt']);
    expect(second.report.toolchain.map(({ name }) => name)).toContain('node');
    expect(existsSync(join(second.report.run_dir, 'backend/setup.stdout.log'))).toBe(false);
    expect((await workshop.seatrial(['verify', second.report.run_id])).code).toBe(0);
  });

  test('cannot be changed by engine or tests, who have no network and nothing of what the setup was given', async () => {
    const tries = [
      'rm -rf node_modules/word; echo bad > node_modules/word/word.txt; mv node_modules elsewhere',
      `node -e 'fetch("${counter.url}").then(() => process.stdout.write("reached"), () => {})'`,
      'env; git status --short; ls -d node_modules/word',
    ].join('; ');
    const look = [
      'try { require("fs").writeFileSync("node_modules/x", ""); process.exit(1); } catch {}',
      'if (Object.keys(process.env).some((name) => name.includes("COUNTER"))) process.exit(1);',
      `fetch("${counter.url}").then(() => process.exit(1), () => {});`,
    ].join(' ');
    const strict = `${TEST} && node -e '${look}'`;
    const { report } = await workshop.ask(repo, `${tries}; ${FIX}`, { ...asking, test: strict });
    passes(report);
    const said = readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8');
    expect(said).toContain('node_modules/word');
    expect(said).toContain('npm_config_offline=true');
    expect(said).not.toMatch(/reached|COUNTER_URL|\?\?/);
    expect(counter.asked).toBe(1);
  });

  test('is made once by two that ask at the same time', { tags: ['long'] }, async () => {
    const asked = counter.hold();
    const both = [workshop.startAsking(repo, FIX, asking), workshop.startAsking(repo, FIX, asking)];
    await asked;
    await Promise.all(both.map((running) => running.shows('checks')));
    counter.letGo();
    await Promise.all(both.map(({ ended }) => ended));
    const reports = workshop.reports();
    reports.forEach(passes);
    expect(counter.asked).toBe(1);
    expect(reports.filter(({ provision }) => provision?.cached === true)).toHaveLength(1);
    expect(workshop.entries()).toHaveLength(1);
  });

  test('is not kept half done when the harness is killed, and the next one makes it', async () => {
    const asked = counter.hold();
    const { child, ended } = workshop.startAsking(repo, FIX, asking);
    await asked;
    child.kill('SIGKILL');
    await ended;
    expect(workshop.entries().filter((name) => /^[0-9a-f]{64}$/.test(name))).toEqual([]);
    counter.letGo();
    passes((await workshop.ask(repo, FIX, asking)).report);
    expect(workshop.entries()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('is not used any more once somebody has changed it', async () => {
    await workshop.ask(repo, FIX, asking);
    const file = inEntry('tree/node_modules/word/word.txt');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'bad');
    utimesSync(file, atime, mtime);
    const second = await workshop.ask(repo, FIX, asking);
    passes(second.report);
    expect([second.report.provision?.cached, counter.asked]).toEqual([false, 2]);
    const about = inEntry('entry.json');
    writeFileSync(about, readFileSync(about, 'utf8').replace(/"products_sha256": "../, '"products_sha256": "00'));
    const third = await workshop.ask(repo, FIX, asking);
    passes(third.report);
    expect([third.report.provision?.cached, counter.asked]).toEqual([false, 3]);
  });

  test('is made anew for another tree, since any file may have taken part', { tags: ['long'] }, async () => {
    const first = await workshop.ask(repo, FIX, asking);
    workshop.repository('words', { 'src/more.txt': 'more' });
    const second = await workshop.ask(repo, FIX, asking);
    passes(second.report);
    expect(second.report.provision?.key).not.toBe(first.report.provision?.key);
    expect(counter.asked).toBe(2);
  });

  test(
    'is taken for judging again if it is still what the run had, and else made aside',
    { tags: ['long'] },
    async () => {
      const { report } = await workshop.ask(repo, FIX, asking);
      const again = ['verify', report.run_id, '--rerun'];
      expect((await workshop.seatrial(again, asking)).code).toBe(0);
      expect(counter.asked).toBe(1);
      rmSync(workshop.cache, { recursive: true });
      const rerun = await workshop.seatrial(again, asking);
      expect([rerun.code, counter.asked, existsSync(workshop.cache)]).toEqual([0, 2, false]);
    },
  );

  test('works for a plain user, whose engine cannot change it either', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can become a plain user');
    const uid = workshop.giveToPlainUser();
    const spoil = 'echo bad > node_modules/word/word.txt; rm -r node_modules/word; printf yes > src/answer.txt';
    passes((await workshop.ask(repo, spoil, { ...asking, uid })).report);
    const second = await workshop.ask(repo, FIX, { ...asking, uid });
    passes(second.report);
    expect([second.report.provision?.cached, counter.asked]).toEqual([true, 1]);
  });
});

describe('a setup', () => {
  test('is left out by an empty --setup', async () => {
    const { report } = await workshop.ask(repo, 'echo yes > src/answer.txt', {
      test: '[ "$(cat src/answer.txt)" = yes ]',
      args: ['--setup', ''],
    });
    passes(report);
    expect([report.provision, counter.asked, workshop.entries()]).toEqual([null, 0, []]);
  });

  test('that changes a file of the tree blocks, and nothing of it is kept', async () => {
    const args = ['--setup', 'mkdir node_modules; touch node_modules/x; echo changed > src/answer.txt'];
    const { report, code } = await workshop.ask(repo, FIX, { ...asking, args });
    expect([code, report.failure_reason, report.provision]).toEqual([
      2,
      'the setup changed tracked files: src/answer.txt',
      null,
    ]);
    expect(workshop.entries()).toEqual([]);
  });

  test('that fails blocks with its exit code and keeps its words, without what it was given', async () => {
    const args = ['--setup', 'echo "to $COUNTER_URL"; echo "at $COUNTER_URL" >&2; exit 7'];
    const { report, code } = await workshop.ask(repo, FIX, { ...asking, args });
    expect([code, report.blockers]).toEqual([2, ['setup command failed with exit code 7']]);
    const log = (name: string): string => readFileSync(join(report.run_dir, 'backend', name), 'utf8');
    expect(log('setup.stdout.log')).toBe('to [masked: COUNTER_URL]\n');
    expect(log('setup.stderr.log')).toBe('at [masked: COUNTER_URL]\n');
    expect(report.markers).toContain('backend/secrets-masked.txt');
    expect(workshop.entries()).toEqual([]);
  });

  test('ends at once when the caller interrupts it, as does the wait for another one', { tags: ['long'] }, async () => {
    const asked = counter.hold();
    const first = workshop.startAsking(repo, FIX, asking);
    await asked;
    const second = workshop.startAsking(repo, FIX, asking);
    await second.shows('checks');
    for (const { child, ended } of [second, first]) {
      child.kill('SIGINT');
      expect((await ended).code).toBe(2);
    }
    expect(workshop.reports().map((report) => report.failure_reason)).toEqual(['interrupted', 'interrupted']);
    expect(workshop.entries()).toEqual([]);
  });

  test('without confinement is run each time and leaves the cache alone', { tags: ['long'] }, async () => {
    const args = ['--confine', 'none'];
    passes((await workshop.ask(repo, FIX, { ...asking, args })).report);
    passes((await workshop.ask(repo, FIX, { ...asking, args })).report);
    expect([counter.asked, workshop.entries()]).toEqual([2, []]);
  });
});
