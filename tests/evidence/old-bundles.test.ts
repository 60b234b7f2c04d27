import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Place, PROJECT, readReport } from '../support/seatrial.ts';

const ARCHIVES = join(PROJECT, 'tests/evidence/old-bundles');

describe.each(readdirSync(ARCHIVES).filter((name) => name.endsWith('.tar.gz')))('bundles in %s', (archive) => {
  const place = new Place();
  const runs = join(place.cwd, 'runs');
  const key = ['--key', join(place.cwd, 'signer.pub')];
  beforeAll(() => execFileSync('tar', ['-xzf', join(ARCHIVES, archive), '-C', place.cwd]));
  afterAll(() => place.remove());

  function runNamed(reason: string | null, engine: string): string {
    const all = readdirSync(runs).filter((name) => /^\d{8}T/.test(name));
    const found = all.find((name) => {
      const report = readReport(join(runs, name));
      return report.failure_reason === reason && report.backend === engine;
    });
    if (found === undefined) throw new Error(`no run of ${engine} with ${reason}`);
    return found;
  }

  test('all verify, with their ledger', async () => {
    const all = await place.seatrial(['verify', '--all', '--runs', runs, ...key]);
    expect([all.code, all.stdout]).toEqual([0, expect.stringContaining('ok: 4 runs verified')]);
    const model = await place.seatrial(['verify', join(place.cwd, 'case-run'), ...key]);
    expect([model.code, model.stdout]).toEqual([0, expect.stringMatching(/^verified: .* is a pass$/m)]);
  });

  test('a stranger is told that the signer is unknown', async () => {
    const strange = await place.seatrial(['verify', join(place.cwd, 'case-run')]);
    expect([strange.code, strange.stdout]).toEqual([0, expect.stringContaining('signer unknown')]);
  });

  test.each(['fake', 'command'])('a pass of %s is judged again from its inputs', async (engine) => {
    const again = await place.seatrial(['verify', runNamed(null, engine), '--rerun', '--runs', runs, ...key]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^ok +rerun/m)]);
  });

  test('each is shown', async () => {
    const list = await place.seatrial(['runs', '--runs', runs]);
    expect([list.code, list.stdout.match(/^(?:pass|fail|blocked) /gm)?.length]).toEqual([0, 4]);
    const refused = 'disallowed file changed: UNASKED.md';
    const shown = await place.seatrial(['runs', 'show', runNamed(refused, 'fake'), '--runs', runs]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(refused)]);
  });

  test('one that was changed since does not verify', async () => {
    const run = runNamed('run interrupted', 'command');
    const events = join(runs, run, 'events.normalized.jsonl');
    expect(readFileSync(events, 'utf8')).toContain('backend.started');
    appendFileSync(events, '{}\n');
    const changed = await place.seatrial(['verify', run, '--runs', runs, ...key]);
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringMatching(/^FAIL/m)]);
  });
});
