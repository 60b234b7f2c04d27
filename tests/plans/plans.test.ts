import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PlanFault } from '../../src/plans/facts.ts';
import { Place } from '../support/seatrial.ts';
import { changesOf } from '../support/traced-writes.ts';

const place = new Place();
afterAll(() => place.remove());

const dir = join(place.cwd, 'case');
cpSync(join(import.meta.dirname, 'case-documents'), dir, { recursive: true });

async function faultsOf(...args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await place.seatrial(['plan', 'check', dir, '--json', ...args]);
  expect(code, stderr).toBe(1);
  const { faults } = JSON.parse(stdout) as { faults: readonly PlanFault[] };
  return faults.map(({ file, message, hint }) => `${file.replace(/^.*\/CTO-CASE-|\.md$/g, '')}: ${message}; ${hint}`);
}

const filesBelow = (root: string): string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();

const CITE = 'list runs, checks, files or commits under "Validation evidence:"; free text is no evidence';
const AGREED = [
  'CANDIDATE-BACKEND-ISSUES: source sot/03-PROTOCOLS/CTO-CASE-CANDIDATE-BACKEND-PRD.md does not exist; did you mean .sot/03-PROTOCOLS/CTO-CASE-CANDIDATE-BACKEND-PRD.md?',
  `STAGE2-ARTIFICIAL-FIXTURE-ISSUES: CTO-WORK-012: evidence not found; ${CITE}`,
];
const VALIDATED_BY_WORDS = ['015', '017', '018'].map(
  (id) => `PROVIDER-BUILD-ISSUES: CTO-WORK-${id}: evidence not found; ${CITE}`,
);

test('documents of the harness for Case fail where a person would say so', async () => {
  const faults = await faultsOf();
  const older = (fault: string): boolean => /^(PROVIDER-BUILD-ISSUES|AGENT-PROTOCOL-BLOCKER): /.test(fault);
  expect(faults.filter((fault) => !older(fault))).toEqual(AGREED);
  const missing = faults.filter((fault) => older(fault) && / is missing; add /.test(fault));
  const fields = missing.filter((fault) => !fault.includes('CTO-WORK-')).map((fault) => fault.split(' ')[1]);
  expect(fields.join(' ')).toBe('tier source description tier source description');
  expect(faults.filter((fault) => older(fault) && !missing.includes(fault))).toEqual(VALIDATED_BY_WORDS);
  // Its list of blockers counts as one.
  expect(missing).not.toContainEqual(expect.stringContaining('CTO-WORK-016: Blocked by'));
});

test('rules from a file take the place of the built-in ones', async () => {
  const rules = join(place.cwd, 'rules.toml');
  writeFileSync(rules, 'fields = ["name", "status", "owner", "created", "last_reviewed"]\nitem_fields = []\n');
  expect(await faultsOf('--rules', rules)).toEqual([AGREED[0], ...VALIDATED_BY_WORDS, AGREED[1]]);
  writeFileSync(rules, 'item_id = "("\nstatuses = ["done"]\ncolour = 1\n');
  const refused = await place.seatrial(['plan', 'check', dir, '--rules', rules]);
  expect(refused.code).toBe(64);
  expect(refused.stderr).toMatch(/unknown key colour/);
  expect(refused.stderr).toMatch(/rules\.toml line 1, column \d+: .*regular expression/);
});

test('plan check writes nothing', async () => {
  const work = join(place.cwd, 'work');
  expect((await place.seatrial(['plan', 'init', work])).code).toBe(0);
  const before = filesBelow(place.root);
  const trace = join(place.root, 'trace');
  expect(await changesOf(trace, (through) => place.seatrial(['plan', 'check', work], { through }))).toEqual([]);
  const after = filesBelow(place.root);
  expect(after.filter((name) => name !== 'trace')).toEqual(before);
  const asSuite = await place.seatrial(['check', 'plans'], { cwd: work });
  expect([asSuite.code, asSuite.stdout]).toEqual([0, expect.stringMatching(/^ok: the documents keep to their rules/)]);
});

test('a run that names its work item proves that item only, and stage names the items that wait for it', async () => {
  const work = join(place.cwd, 'linked');
  expect((await place.seatrial(['plan', 'init', work])).code).toBe(0);
  const options = { cwd: work };
  const { report } = await place.run('r1-string-slugify', ['--work-item', 'CTO-WORK-001'], options);
  expect(report).toMatchObject({ status: 'pass', work_item: 'CTO-WORK-001' });
  expect((await place.seatrial(['runs', 'show', 'last'], options)).stdout).toContain('by fake, for CTO-WORK-001');
  expect(readFileSync(join(report.run_dir, 'report.html'), 'utf8')).toContain('CTO-WORK-001');
  expect((await place.seatrial(['verify', 'last'], options)).code).toBe(0);
  const change = (name: string, ...pairs: readonly (readonly [string | RegExp, string])[]): void => {
    const path = join(work, name);
    const changed = pairs.reduce((text, [before, after]) => text.replace(before, after), readFileSync(path, 'utf8'));
    writeFileSync(path, changed);
  };
  const proven = `Type: AFK\nStatus: validated\nValidation evidence:\n- run ${report.run_id}\n`;
  change('WORKBOARD.yaml', [/status: (ready|draft)/g, 'status: validated']);
  change('plans/ISSUES.md', [/^Type: AFK$/gm, proven]);
  const { code, stdout } = await place.seatrial(['plan', 'check'], options);
  expect([code, stdout.match(/^plans\S+ .*$/gm)]).toEqual([
    1,
    [expect.stringMatching(/: CTO-WORK-002: run \S+: the run is for CTO-WORK-001$/)],
  ]);

  change('WORKBOARD.yaml', ['CTO-WORK-002, status: validated', 'CTO-WORK-002, status: ready']);
  change('plans/ISSUES.md', [/Status: validated(?![^]*Status: validated)/, 'Status: ready\nNeeds stage: fake 3']);
  writeFileSync(join(work, 'seatrial.toml'), '[engines.fake]\nrequire_stage = true\n');
  expect((await place.seatrial(['plan', 'check'], options)).code).toBe(0);
  const shown = await place.seatrial(['stage'], options);
  expect(shown.stdout).toMatch(/^ {2}blocked by the missing proof: CTO-WORK-002, which needs stage 3 \(plans.*\)$/m);
  expect(shown.stdout).not.toContain('CTO-WORK-001');
  const refused = await place.seatrial(['run', 'r1-string-slugify', '--work-item', '../x'], options);
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--work-item takes the id')]);
});
