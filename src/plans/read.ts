import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { findRun } from '../evidence/bundle/runs.ts';
import { checkReportSchema } from '../evidence/schema/check-report.ts';
import { parseBytes } from '../evidence/schema/document.ts';
import { schemaFault } from '../evidence/schema/parts.ts';
import type { VerifyOptions } from '../evidence/verify/types.ts';
import { verifyBundle } from '../evidence/verify/verify-bundle.ts';
import { sha256 } from '../kernel/digest.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { gitInPlace } from '../task/git/call.ts';
import { checkPlans } from './check.ts';
import type { PlanFacts, PlanFault, PlannedDocument, Workboard } from './facts.ts';
import { type EvidenceLine, readPlanDocument } from './document.ts';
import { isSignedBy } from '../stages/check-report.ts';
import type { PlanRules } from './rules.ts';
import { neededStage } from './work-items.ts';

const boardSchema = z.strictObject({
  documents: z.array(z.strictObject({ path: z.string(), kind: z.string() })),
  items: z.array(z.strictObject({ id: z.string(), status: z.string(), document: z.string() })),
});

/** Of a contract that is verified already. */
const namingItem = z.object({ work_item: z.optional(z.string()) });

export interface PlanPlace {
  readonly dir: string;
  readonly runsDir: string;
  readonly verify: VerifyOptions;
  readonly today: string;
}

/** Reads workboard and documents of a directory and checks them. Changes nothing and runs no validator. */
export async function checkPlanDirectory(place: PlanPlace, rules: PlanRules): Promise<readonly PlanFault[]> {
  const board = readBoard(place.dir, rules);
  if ('message' in board) return [board];
  const documents = readDocuments(place.dir, board, rules);
  return checkPlans(board, documents, await factsOf(place, documents), rules);
}

function readDocuments(dir: string, board: Workboard, rules: PlanRules): readonly PlannedDocument[] {
  return board.documents.flatMap(({ path, kind }): PlannedDocument[] => {
    const file = below(dir, path);
    if (file === null || !existsSync(file)) return [];
    const text = readFileSync(file, 'utf8');
    return [{ path, kind, text, ...readPlanDocument(text, rules) }];
  });
}

/** A work item that waits for a stage of an engine. */
export interface WaitingItem {
  readonly id: string;
  readonly engine: string;
  readonly stage: number;
  readonly document: string;
  readonly line: number;
}

/** Open items with `Needs stage:`, of the workboard in this directory or the nearest one above. A board that cannot be read has none. */
export function itemsWaitingForStages(dir: string, rules: PlanRules): readonly WaitingItem[] {
  for (let at = resolve(dir); ; at = dirname(at)) {
    if (existsSync(join(at, rules.workboard))) return waitingIn(at, rules);
    if (dirname(at) === at) return [];
  }
}

function waitingIn(dir: string, rules: PlanRules): readonly WaitingItem[] {
  const board = readBoard(dir, rules);
  if ('message' in board) return [];
  const done = board.items.filter(({ status }) => status === 'validated' || status === 'closed').map(({ id }) => id);
  return readDocuments(dir, board, rules).flatMap(({ path: document, items }) =>
    items.flatMap(({ id, line, fields }) => {
      const needs = neededStage(fields.get('Needs stage')?.value ?? '');
      return needs === null || done.includes(id) ? [] : [{ id, ...needs, document, line }];
    }),
  );
}

function readBoard(dir: string, { workboard }: PlanRules): Workboard | PlanFault {
  const path = join(dir, workboard);
  const fault = (line: number, message: string, hint: string): PlanFault => ({
    rule: 'workboard',
    file: workboard,
    line,
    message,
    hint,
  });
  if (!existsSync(path))
    return fault(1, `there is no ${workboard} in ${dir}`, '`seatrial plan init` writes a small valid example');
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: counter });
  const [error] = document.errors;
  if (error !== undefined)
    return fault(counter.linePos(error.pos[0]).line, error.message.split('\n')[0] ?? '', 'correct the YAML');
  const parsed = boardSchema.safeParse(document.toJS());
  if (!parsed.success)
    return fault(1, schemaFault(parsed.error), 'documents: [{path, kind}], items: [{id, status, document}]');
  const lineOf = (list: string, index: number): number => {
    const node: unknown = document.getIn([list, index], true);
    const range = z.object({ range: z.array(z.number()) }).safeParse(node);
    return range.success ? counter.linePos(range.data.range[0] ?? 0).line : 1;
  };
  return {
    documents: parsed.data.documents.map((one, index) => ({ ...one, line: lineOf('documents', index) })),
    items: parsed.data.items.map((one, index) => ({ ...one, line: lineOf('items', index) })),
  };
}

/** Null: the path leads out of the directory. */
function below(dir: string, path: string): string | null {
  const file = resolve(dir, path);
  return normalize(relative(dir, file)).startsWith('..') ? null : file;
}

async function factsOf(place: PlanPlace, documents: readonly PlannedDocument[]): Promise<PlanFacts> {
  const { dir, today } = place;
  const sources = [...new Set(documents.map(({ fields }) => fields.get('source')?.value ?? ''))].filter(
    (path) => path !== '',
  );
  const commits = documents.flatMap(({ items }) =>
    items.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === 'commit')),
  );
  const days = new Map(await Promise.all(sources.map(async (path) => [path, await lastCommitDay(dir, path)] as const)));
  const known = new Map(
    await Promise.all(commits.map(async ({ value }) => [value, await isCommit(dir, value)] as const)),
  );
  return {
    exists: (path) => {
      const file = below(dir, path);
      return file !== null && existsSync(file);
    },
    lastCommitDay: (path) => days.get(path) ?? null,
    evidenceFault: (evidence, itemId) =>
      evidence.kind === 'commit'
        ? known.get(evidence.value) === true
          ? null
          : 'no such commit'
        : evidenceFault(evidence, itemId, place),
    today,
  };
}

async function lastCommitDay(dir: string, path: string): Promise<string | null> {
  try {
    const day = await gitInPlace(['log', '-1', '--format=%cs', '--', path], { cwd: dir, caller: process.env });
    return day.toString('utf8').trim() || null;
  } catch {
    return null;
  }
}

async function isCommit(dir: string, name: string): Promise<boolean> {
  if (!/^[0-9a-f]{7,64}$/.test(name)) return false;
  try {
    await gitInPlace(['cat-file', '-e', `${name}^{commit}`], { cwd: dir, caller: process.env });
    return true;
  } catch {
    return false;
  }
}

function evidenceFault(evidence: EvidenceLine, itemId: string, place: PlanPlace): string | null {
  const { kind, value, digest } = evidence;
  const { dir, verify } = place;
  if (kind === 'run') return runFault(evidence, itemId, place);
  const file = below(dir, value);
  if (file === null || !existsSync(file)) return 'evidence not found';
  const bytes = readFileSync(file);
  if (digest !== null && `sha256:${sha256(bytes)}` !== digest) return 'the file has another digest';
  if (kind === 'file') return null;
  const report = parseBytes(bytes, checkReportSchema);
  if (!report.ok) return `not a check report (${report.fault})`;
  const { trusted } = verify;
  if (!trusted.some((key) => isSignedBy(report.value, key))) return 'no trusted key signed the check report';
  return report.value.ok ? null : 'the check did not pass';
}

function runFault({ value, digest }: EvidenceLine, itemId: string, { dir, runsDir, verify }: PlanPlace): string | null {
  let found: string;
  try {
    found = findRun(runsDir, value.includes('/') ? resolve(dir, value) : value);
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    return 'evidence not found';
  }
  const { verdict, status, checks } = verifyBundle(found, verify);
  if (verdict !== 'verified')
    return `the bundle is ${verdict}: ${checks.find(({ ok }) => !ok)?.detail ?? 'its signer is not trusted'}`;
  if (status !== 'pass') return `the run is a ${status ?? 'run without a report'}, which proves nothing`;
  const named = parseBytes(readFileSync(join(found, 'inputs/contract.json')), namingItem);
  if (named.ok && named.value.work_item !== undefined && named.value.work_item !== itemId)
    return `the run is for ${named.value.work_item}`;
  if (digest === null) return null;
  return `sha256:${sha256(readFileSync(join(found, 'report.json')))}` === digest
    ? null
    : 'its report has another digest';
}

/** Where an example would be written over something. */
export function occupied(dir: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => existsSync(join(dir, name)));
}
