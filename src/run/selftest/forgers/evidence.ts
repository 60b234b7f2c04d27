import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import { MISBEHAVIOURS } from '../../../engines/fake/misbehaviours.ts';
import { REPORT_FILE } from '../../../evidence/bundle/bundle.ts';
import { ledgerPath } from '../../../evidence/bundle/ledger.ts';
import { verifyAll } from '../../../evidence/verify/verify-all.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Row } from '../row.ts';
import { misbehavingRequest } from '../misbehaving.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';

/** A runs directory with a passing run and a later failing one. */
interface Kept {
  readonly runsDir: string;
  readonly passed: string;
  readonly failed: string;
}

/** Tampering with stored evidence to make the failed run look passed. */
interface EvidenceForger {
  readonly name: string;
  forge(kept: Kept): void;
  /** The first check of `seatrial verify --all` that fails. */
  readonly check: string;
  /** The weaker check that the tampering fools, and why. */
  readonly believes: { readonly name: string; reads(kept: Kept): boolean };
}

const reportOf = ({ runsDir }: Kept, run: string): string => join(runsDir, run, REPORT_FILE);

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const theReport: EvidenceForger['believes'] = {
  name: 'the status in report.json',
  reads: (kept) => /^ {2}"status": "pass"/m.test(readFileSync(reportOf(kept, kept.failed), 'utf8')),
};

const theLedger: EvidenceForger['believes'] = {
  name: 'the lines of ledger.jsonl',
  reads: ({ runsDir }) => !readFileSync(ledgerPath(runsDir), 'utf8').includes('"status":"fail"'),
};

const EVIDENCE_FORGERS: readonly EvidenceForger[] = [
  {
    name: 'replays an old bundle as new',
    forge: ({ runsDir, passed, failed }) => {
      rmSync(join(runsDir, failed), { recursive: true });
      cpSync(join(runsDir, passed), join(runsDir, failed), { recursive: true });
    },
    check: 'ledger against runs',
    believes: theReport,
  },
  {
    name: 'replays an old bundle under the new name',
    forge: (kept) => {
      const { runsDir, passed, failed } = kept;
      rmSync(join(runsDir, failed), { recursive: true });
      cpSync(join(runsDir, passed), join(runsDir, failed), { recursive: true });
      edit(reportOf(kept, failed), (text) => text.replaceAll(passed, failed));
    },
    check: 'manifest',
    believes: theReport,
  },
  {
    name: 'writes a pass into the report',
    forge: (kept) =>
      edit(reportOf(kept, kept.failed), (text) =>
        text
          .replace('"status": "fail"', '"status": "pass"')
          .replace('"failure_reason": "no diff produced"', '"failure_reason": null'),
      ),
    check: 'manifest',
    believes: theReport,
  },
  {
    name: 'edits the ledger',
    forge: ({ runsDir }) => edit(ledgerPath(runsDir), (text) => text.replace('"status":"fail"', '"status":"pass"')),
    check: 'ledger',
    believes: theLedger,
  },
  {
    name: 'takes a run out of the ledger',
    forge: ({ runsDir }) => edit(ledgerPath(runsDir), (text) => `${text.split('\n')[0] ?? ''}\n`),
    check: 'ledger against runs',
    believes: theLedger,
  },
];

export function evidenceRows(): Row[] {
  return EVIDENCE_FORGERS.map((forger) => ({
    name: forger.name,
    kind: 'the evidence afterwards',
    expected: { reason: { code: forger.check }, event: null, status: 'not sound', exit: EXIT.fail },
    play: (request) => playEvidenceForger(forger, request),
  }));
}

/** Uses its own runs directory, so that forged evidence does not mix with the matrix's evidence. */
async function playEvidenceForger(
  { name, forge, believes }: EvidenceForger,
  request: RunRequest,
): ReturnType<Row['play']> {
  const dir = join('forged', name.replaceAll(' ', '-'));
  const runsDir = join(request.environment.runsDir, dir);
  mkdirSync(runsDir, { recursive: true });
  const beside = { ...request, environment: { ...request.environment, runsDir } };
  const passed = (await runTask({ ...beside, engine: fakeEngine() })).run_id;
  const failed = (await runTask(misbehavingRequest(beside, MISBEHAVIOURS['no diff']))).run_id;
  const kept = { runsDir, passed, failed };
  const isBelieved = believes.reads(kept);
  forge(kept);
  const { key, clock } = request.environment;
  const found = verifyAll(runsDir, { trusted: [{ name: 'harness', ...key }], now: clock.now() });
  const bad = [...found.runs.flatMap((run) => run.checks), ...found.ledger].filter((check) => !check.ok);
  return {
    seen: {
      reason: bad[0]?.detail ?? null,
      code: bad[0]?.name ?? null,
      events: [],
      status: found.ok ? 'sound' : 'not sound',
      exit: found.ok ? EXIT.pass : EXIT.fail,
      note: null,
      says: '',
    },
    run: join(dir, failed),
    // Only tampering that fools the weaker check proves anything.
    weak: { judge: believes.name, fooled: !isBelieved && believes.reads(kept) },
  };
}
