import { type FileFacts, joinFileFacts } from '../../confine/audit/file-trace.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Tool } from '../../evidence/schema/report.ts';
import { clearTree } from './clear-tree.ts';
import type { TestStep } from './command/test-plan.ts';
import type { RunnerRun } from './results/combine.ts';
import { findIdleCommands, type TracedStep } from './results/idle-commands.ts';
import { labelSteps } from './results/labels.ts';
import { prepare } from './prepare.ts';
import type { RunnerCommand } from './runners/definition.ts';
import { findRunner } from './runners/list.ts';
import { readDriverChannel } from './sandbox/channel.ts';
import { executeTests, type TestExecution } from './sandbox/execute.ts';
import { makeDir } from './sandbox/stage.ts';
import type { FailedCommand, JudgeRequest } from './types.ts';

/** How a test command went. */
export interface StepsRun {
  readonly kind: 'ran';
  /** At least one. */
  readonly runs: readonly RunnerRun[];
  /** Commands around the tests that failed. */
  readonly failedCommands: readonly FailedCommand[];
  readonly notes: readonly string[];
  readonly toolchain: readonly Tool[];
  readonly output: string;
  readonly durationMs: number;
  /** Tests reached for an address or a name beyond the sandbox. */
  readonly reachedOut: boolean;
  /** What all of them did with files; null: they were not traced. */
  readonly files: FileFacts | null;
  /** Commands around the tests that leave nothing behind which tests use. Empty if that was not traced. */
  readonly idleCommands: readonly string[];
}

export type StepsOutcome = StepsRun | { readonly kind: 'blocked'; readonly faults: readonly Reason[] };

/** A step, with the tests that it is to run. */
interface DueStep {
  readonly step: TestStep;
  readonly label: string | null;
  readonly command: RunnerCommand;
}

/**
 * Runs the parts of a test command one after the other. A later part runs also when an earlier one failed: every runner is to
 * report its tests, and what failed is a fault in any case.
 */
export async function runSteps(request: JudgeRequest, steps: readonly TestStep[]): Promise<StepsOutcome> {
  const isBlackBox = request.isolation === 'black_box';
  if (isBlackBox && steps.length > 1) {
    return blocked('black box judging is not possible: the test command has several parts');
  }
  const due = selectSteps(request, steps);
  if (typeof due === 'string') return blocked(due);
  const runs: RunnerRun[] = [];
  const failedCommands: FailedCommand[] = [];
  const leftOut = clearTree(request);
  const leftOutNote =
    leftOut.length === 0 ? [] : [`left out of the tree, because only the patch brings it: ${leftOut.join(', ')}`];
  const notes: string[] = [];
  const files: FileFacts[] = [];
  const traced: TracedStep[] = [];
  const outputs: string[] = [];
  const toolchain = new Map<string, Tool>();
  let durationMs = 0;
  let reachedOut = false;
  for (const [index, { step, label, command }] of due.entries()) {
    const own = {
      ...request,
      scratch: due.length === 1 ? request.scratch : makeDir(request.scratch, `part-${index + 1}`),
      timeoutMs: Math.max(1, Math.round(request.timeoutMs - durationMs)),
    };
    const prepared = await prepare(own, command);
    if (!prepared.ready)
      return {
        kind: 'blocked',
        faults: [...prepared.faults, ...leftOutNote.map((text) => reason('detail', { text }))],
      };
    const execution = await executeTests(own, prepared.invocation);
    durationMs += execution.end.durationMs;
    if (execution.files !== null) {
      files.push(execution.files);
      traced.push({ text: step.text, kind: step.kind, failed: failureOf(execution) !== null, files: execution.files });
    }
    outputs.push(due.length === 1 ? execution.output : `--- ${step.text} ---\n${execution.output}`);
    for (const tool of prepared.toolchain) toolchain.set(tool.path, tool);
    if (step.kind === 'other') {
      const how = failureOf(execution);
      if (how !== null) failedCommands.push({ text: step.text, how });
      request.beforeNextPart?.();
      continue;
    }
    if (prepared.note !== undefined) notes.push(label === null ? prepared.note : `${label}: ${prepared.note}`);
    reachedOut ||= execution.reachedOut;
    const channel = prepared.readResults?.(execution) ?? readDriverChannel(execution.reports, request.nonce);
    runs.push({ label, end: execution.end, subjectEnd: execution.subjectEndedEarly, channel });
  }
  const others = due.flatMap(({ step }) => (step.kind === 'other' ? [step.text] : []));
  notes.push(...leftOutNote);
  if (others.length > 0) notes.push(`by exit code alone: ${others.join(', ')}`);
  return {
    kind: 'ran',
    runs,
    failedCommands,
    notes,
    toolchain: [...toolchain.values()],
    output: outputs.join('\n'),
    durationMs,
    reachedOut,
    files: files.length === 0 ? null : joinFileFacts(files),
    idleCommands: findIdleCommands(traced),
  };
}

/**
 * A string: why not. Of the commands around single tests those before them stay, unless they are known to be idle: what they build may
 * be what is tested.
 */
function selectSteps({ only, idleCommands }: JudgeRequest, steps: readonly TestStep[]): readonly DueStep[] | string {
  const labels = labelSteps(steps);
  const due: DueStep[] = [];
  for (const [index, step] of steps.entries()) {
    const label = labels[index] ?? null;
    if (only !== undefined && step.kind === 'other' && idleCommands?.includes(step.text) === true) continue;
    if (only === undefined || step.kind === 'other') {
      due.push({ step, label, command: step.command });
      continue;
    }
    const prefix = label === null ? '' : `${label}: `;
    const ids = only.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
    if (ids.length === 0) continue;
    // Where single tests cannot be selected all run, and only those that were asked for count.
    due.push({ step, label, command: findRunner(step.command.runner)?.select(step.command, ids) ?? step.command });
  }
  const last = due.findLastIndex(({ step }) => step.kind === 'tests');
  if (last < 0) return 'no part of the test command has the tests that were selected';
  return only === undefined ? due : due.slice(0, last + 1);
}

function failureOf({ end }: TestExecution): string | null {
  if (end.kind !== 'exited') return end.kind.replace('_', ' ');
  return end.exitCode === 0 ? null : `exit code ${end.exitCode}`;
}

function blocked(fault: string): StepsOutcome {
  return { kind: 'blocked', faults: [reason('runner_unusable', { why: fault })] };
}
