import { symlinkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { OverlaySpace } from '../../src/confine/overlay/space.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { AgentPlace, MEND } from '../support/agent-place.ts';
import { FIX, Project, TEST } from '../support/project.ts';
import { type CallOptions, type Ended, readReport, writeBelow } from '../support/seatrial.ts';
import { changesOf } from '../support/traced-writes.ts';

let isPossible = false;
beforeAll(async () => {
  const space = await OverlaySpace.open(process.env['PATH'] ?? '');
  isPossible = space !== null;
  space?.close();
});
beforeEach(({ skip }: TestContext) => {
  if (!isPossible) skip('overlays cannot be mounted on this machine');
});

const ACCEPTS = `printf '{"verdict": "pass"}' > review.json`;

describe('a review by an engine, of a run over shared files', () => {
  let place: Project;
  beforeEach(() => {
    place = new Project();
  });
  afterEach(() => place.remove());

  const asked = (work: string, review: string, test = ['--test', TEST]): string[] => {
    const builder = ['--repo', place.repo, '--ask', 'x', ...test, '--engine', 'command', '--command', work];
    return ['run', ...builder, '--review', review, '--review-engine', 'command', '--json'];
  };

  const reportOf = ({ stdout, stderr }: Ended): Report => {
    if (stdout === '') throw new Error(`no report: ${stderr}`);
    return JSON.parse(stdout) as Report;
  };

  it.each(['root', 'a plain user'])('shows %s exactly both trees, which it cannot change', async (who) => {
    place.commit({ 'old.txt': 'old\n', 'docs/kept.txt': 'kept\n' }, 'more');
    const isRoot = process.getuid?.() === 0;
    const user: CallOptions = isRoot && who === 'a plain user' ? { uid: place.giveToPlainUser() } : {};
    const work = `${FIX}; rm old.txt; umask 077; echo new > new.txt`;
    const look = [
      'cat > /dev/null',
      'diff -rq base patched | sort',
      'cat base/old.txt patched/new.txt',
      'git status --porcelain',
      'for d in base patched; do touch $d/x $d/sum.py 2>/dev/null && echo writes $d; rm -rf $d 2>/dev/null && echo removes $d; done',
      'echo note > note.txt',
      ACCEPTS,
    ].join('; ');
    const report = reportOf(await place.seatrial(asked(work, look), user));
    expect(report).toMatchObject({
      status: 'pass',
      confinement: { workspace: 'overlay' },
      review: { verdict: 'accepted' },
    });
    const review = join(place.runs, report.review?.run_id ?? '');
    expect(readFileSync(join(review, 'backend/stdout.log'), 'utf8').trim().split('\n')).toEqual([
      'Files base/sum.py and patched/sum.py differ',
      'Only in base: old.txt',
      'Only in patched: new.txt',
      'old',
      'new',
    ]);
    expect(readReport(review).changed_files).toEqual(['note.txt', 'review.json']);
    expect(JSON.parse(readFileSync(join(review, 'inputs/contract.json'), 'utf8'))).toMatchObject({
      reviewed: { run_id: report.run_id, base: { sha256: expect.any(String) } },
    });
    const { code, stdout } = await place.seatrial(['verify', review, '--rerun'], user);
    expect([code, stdout]).toEqual([0, expect.stringContaining('judged again: passed')]);
  });

  it('writes no more files for a larger repository', { timeout: 600_000 }, async () => {
    place.commit({ 'test.sh': 'test "$(sh greet.sh)" = yes\n', 'greet.sh': 'echo no\n' }, 'A greeting');
    const traced = async (name: string): Promise<number> => {
      const test = ['--test', 'sh test.sh', '--accept', 'exit_code'];
      const run = asked('echo echo yes > greet.sh', `diff -rq base patched; ${ACCEPTS}`, test);
      expect(reportOf(await place.seatrial(run)).status).toBe('pass');
      const trace = join(place.root, name);
      const changes = await changesOf(trace, (through) => place.seatrial(run, { through }));
      return changes.length;
    };
    const few = await traced('few');
    const numbers = Array.from({ length: 500 }, (_none, index) => index);
    place.commit(Object.fromEntries(numbers.map((number) => [`data/${number}.txt`, 'x\n'])), 'more');
    expect((await traced('many')) - few).toBeLessThan(numbers.length);
  });
});

describe('an agent that reviews', () => {
  let place: AgentPlace;
  beforeEach(() => {
    place = new AgentPlace();
  });
  afterEach(() => place.close());

  const review = async (): Promise<{ readonly id: string; readonly words: string }> => {
    const builder = ['--engine', 'command', '--command', `${MEND}; mkdir -p new/.pi; echo PI-NEW > new/.pi/x`];
    const flags = [...builder, '--review-engine', 'pi', '--review-model', 'local/m1'];
    const { stderr } = await place.ask(...flags);
    const [id = ''] = place.runDirs().filter((name) => name.includes('review-of'));
    expect(id, stderr).not.toBe('');
    return { id, words: readFileSync(join(place.runs, id, 'backend/stdout.log'), 'utf8') };
  };

  const look = 'grep -rh PI- base patched; cat base/AGENTS.md; diff -rq base patched';

  it('is not shown what it would obey of either tree, and can be replayed from the bundle of what it reviewed', async () => {
    place.commit({ '.pi/mcp.json': '{"a": "PI-OLD"}\n', 'AGENTS.md': 'INSTRUCTIONS\n' });
    await place.install(`${look}\n${ACCEPTS}`);
    const { id, words } = await review();
    expect(words).toMatch(/^INSTRUCTIONS\nOnly in patched: new\nFiles base\/total.py and patched\/total.py differ$/m);
    expect(words).not.toContain('PI-');
    const again = await place.lasting(['run', '--replay', id, '--json'], { env: place.env });
    expect(again.code, again.stderr).toBe(0);
    const replayed = JSON.parse(again.stdout) as Report;
    expect(replayed).toMatchObject({ status: 'pass', backend: 'pi', changed_files: ['review.json'] });
    expect(readFileSync(join(place.runs, replayed.run_id, 'backend/stdout.log'), 'utf8')).toBe(words);
  });

  it('gets copies where it would obey a link', async () => {
    place.commit();
    writeBelow(place.repo, { 'elsewhere/x': 'LINKED\n' });
    symlinkSync('elsewhere', join(place.repo, '.pi'));
    place.commit();
    await place.install(`cat base/.pi/x patched/.pi/x; diff -rq base patched; ${ACCEPTS}`);
    const { words } = await review();
    expect(words).toContain('Only in patched: new\n');
    expect(words).not.toContain('LINKED');
  });
});
