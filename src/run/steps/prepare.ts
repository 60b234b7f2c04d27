import { mkdirSync } from 'node:fs';
import { type AdmissionCheck, checkCleanTree } from '../../admission/checks.ts';
import { decideEligibility } from '../../admission/eligibility.ts';
import { ENGINE_NAMES } from '../../engines/list.ts';
import { NO_PROGRAMS } from '../../confine/tools/caller-programs.ts';
import { openConfinement } from '../../confine/open.ts';
import { probe, type ProbeResult } from '../../confine/probe/probe.ts';
import type { Mount } from '../../confine/types.ts';
import type { ConfinementReport } from '../../evidence/schema/report.ts';
import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { copyTree } from '../../task/tree/copy.ts';
import type { Contract } from '../../task/contract.ts';
import { type Tree, walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { type Archives, copyInputs, keepContract, packInputs } from '../inputs.ts';
import { excludeFromGit, layProducts, placesOf, type Products } from '../provision/products.ts';
import type { Provisioned } from '../provision/provision.ts';
import { BEFORE_ENGINE_FILE, noteBeforeEngine } from '../recover/before-engine.ts';
import { hasControl } from '../request.ts';
import type { RunSandbox, Run } from './state.ts';
import { type PreparedWorkspace, makeWorkspace, cloneWorkspace } from '../workspace.ts';

/** What was asked, written down, with the bytes to start from. */
export interface PreparedContract {
  readonly contract: Contract;
  readonly archives: Archives;
}

/** Packs and writes down what was asked. */
export function makeContract(run: Run): PreparedContract {
  const { controlOf, terms, inputs } = run.order;
  const archives =
    controlOf === undefined ? packInputs(inputs, run.bundle) : copyInputs(controlOf.archives, run.bundle);
  const contract = keepContract(run.bundle, terms, archives);
  run.contract = contract;
  run.log.append('task.contract.created', 'harness', { task: contract.task, sha256: sha256(canonicalJson(contract)) });
  return { contract, archives };
}

export function writeEligibility(run: Run, contract: Contract): void {
  const { site, engine } = run.order;
  const engines = ENGINE_NAMES.map((name) => site.admission(name));
  const decision = decideEligibility({ runId: run.bundle.runId, engine: engine.name, contract, engines });
  run.write('eligibility.json', run.mask.text(prettyJson(decision)));
}

/** Records a check's decision; a refusal ends the run before any process of the engine starts. */
export function passCheck(run: Run, check: AdmissionCheck): void {
  const { gate } = check;
  const detail = run.mask.text(check.detail);
  if (check.passed) return void run.log.append('gate.checked', 'harness', { gate, passed: true, reason: null, detail });
  const next = run.mask.text(check.next);
  const { code, text, cause } = check.reason;
  run.log.append('gate.checked', 'harness', { gate, passed: false, reason: text, detail, code, next });
  if (check.marker !== null) run.mark(check.marker, `${detail}\n${next}`);
  if (cause === 'provider') run.log.append('provider.unavailable', 'harness', { detail });
  run.block(check.reason);
}

/** A ground that has been shown to hold. */
export interface ProbedSandbox extends RunSandbox {
  readonly probed: ProbeResult;
}

/** Opens the confinement and shows that it holds, before anything else is started in it. */
export async function openSandbox(run: Run): Promise<ProbedSandbox> {
  const { site, engine, solutionDir, taskDir } = run.order;
  const workspace: Mount = { source: run.scratchPath('workspace'), target: '/workspace', mode: 'rw' };
  const artifacts: Mount = { source: run.scratchPath('artifacts'), target: '/artifacts', mode: 'rw' };
  const mounts: Mount[] = [workspace, artifacts];
  mkdirSync(workspace.source);
  mkdirSync(artifacts.source);
  if (engine.usesOracle && solutionDir !== null) {
    copyTree(solutionDir, run.scratchPath('solution'));
    mounts.push({ source: run.scratchPath('solution'), target: '/solution', mode: 'ro' });
  }
  const covered = [...site.covered, ...(taskDir === null ? [] : [taskDir])];
  const confinement = await openConfinement({
    kind: site.confine,
    scratch: run.scratch,
    cacheDir: site.tools.cacheDir,
    covered,
    readOnly: site.readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
  });
  confinement.give(artifacts.source);
  const probed = await probe(confinement, {
    nonce: run.bundle.nonce,
    mounts,
    limits: run.limits,
    invisible: [...covered, run.bundle.dir],
    outside: run.scratch,
  });
  return {
    confinement,
    workspace,
    mounts,
    at: (path) => confinement.pathInside(path, mounts),
    programs: NO_PROGRAMS,
    env: {},
    probed,
  };
}

export function describeSandbox(run: Run, confinement: ConfinementReport): void {
  run.log.append('sandbox.described', 'harness', { workspace_root: run.scratchPath('workspace'), confinement });
}

/** For the report: what the engine was shown beyond what every command sees, and whom it could reach. */
export function noteShown(run: Run, mounts: readonly Mount[], network: 'gateway' | null = null): void {
  const { confinement } = run.report;
  if (confinement === null || confinement.kind === 'none') return;
  const shown = mounts.filter(({ mode }) => mode !== 'link').map(({ source }) => source);
  const sources = shown.filter((source) => !source.startsWith(`${run.scratch}/`));
  if (network === null && sources.every((source) => confinement.read_only.includes(source))) return;
  describeSandbox(run, {
    ...confinement,
    network: network ?? confinement.network,
    read_only: [...new Set([...confinement.read_only, ...sources])].toSorted(),
  });
}

/** A tree as it was when the engine was let in, and as the contract has it. */
export interface WorkspaceBaseline {
  readonly base: Tree;
  readonly beforeEngine: Tree;
  readonly products: Products | null;
}

/** The trees that a run works in, each unpacked when it is first asked for. */
export interface Copies {
  /** The engine's, with the base commit in it: what was laid there. */
  readonly workspace: () => PreparedWorkspace;
  /** To be patched and judged. */
  readonly pristine: () => string;
  /** The base, never changed. */
  readonly base: () => string;
  readonly tests: () => string | null;
}

export function copiesOf(run: Run, { base, tests }: Archives): Copies {
  const unpack = (archive: string, name: string): string => {
    unpackTree(archive, run.scratchPath(name));
    return run.scratchPath(name);
  };
  return {
    workspace: once(() => unpackBase(run, base.path)),
    pristine: once(() => unpack(base.path, 'pristine')),
    base: once(() => unpack(base.path, 'base')),
    tests: once(() => (tests === null ? null : unpack(tests.path, 'tests'))),
  };
}

function unpackBase(run: Run, archive: string): PreparedWorkspace {
  const { order } = run;
  const dir = run.scratchPath('workspace');
  if (order.controlOf !== undefined) return cloneWorkspace(archive, dir, order.controlOf.laid);
  const spare = order.inputs.disposable === true ? order.inputs.filesDir : null;
  return makeWorkspace({ archive, spare }, dir, hasControl(order) ? run.scratchPath('kept-git') : null);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

export function prepareWorkspace(
  run: Run,
  copies: Copies,
  ground: RunSandbox,
  provisioned: Provisioned,
): WorkspaceBaseline {
  const { products, dirty } = provisioned;
  passCheck(run, checkCleanTree(dirty));
  const base = copies.workspace().tree;
  if (products !== null) layProducts(products, ground.workspace.source, ground.confinement);
  const leavings = run.order.engine.leavings.map((name) => Buffer.from(`${name}/`));
  const unseen = [...leavings, ...(products === null ? [] : placesOf(products))];
  excludeFromGit(unseen, `${ground.workspace.source}/.git`);
  const beforeEngine = products === null ? base : walkTree(ground.workspace.source, { skipTopGit: true });
  noteBeforeEngine(run.scratchPath(BEFORE_ENGINE_FILE), { leavings: run.order.engine.leavings, base, beforeEngine });
  ground.confinement.give(ground.workspace.source);
  return { base, beforeEngine, products };
}
