import { reason } from '../../evidence/reasons/catalogue.ts';
import { mapReasonText, type Reason } from '../../evidence/reasons/reason.ts';
import { openBaseFiles } from './command/base-files.ts';
import { readTestPlan } from './command/plan.ts';
import { scriptCommand } from './command/script-command.ts';
import type { ShellStep, TestStep } from './command/test-plan.ts';
import { combineRuns, idsDue } from './results/combine.ts';
import { decide } from './decide.ts';
import { runSteps, type StepsRun } from './run-steps.ts';
import type { RunnerCommand } from './runners/definition.ts';
import { VERIFIER } from './prepare.ts';
import type { ChannelReading } from './sandbox/channel.ts';
import type { JudgeRequest, JudgeResult, SeenTest } from './types.ts';

const WHOLE_SCRIPT_NOTE = 'the script reported no tests, so it counts as one test, decided by its exit code';
const EXIT_CODE_NOTE = 'the command reported no tests; its exit code is all that was seen';

/** Judges a tree by its tests. Never rejects for what the tests or the code under test do: that is a verdict. */
export async function judge(request: JudgeRequest): Promise<JudgeResult> {
  if (request.plain === true) return judgeSteps(request, [plainStep(request.testCommand)]);
  if (request.image !== undefined) return judgeSteps(request, [verifierStep(request.testCommand)]);
  const plan = readTestPlan(request.testCommand, openBaseFiles(request));
  switch (plan.kind) {
    case 'missing':
      return withoutVerdict(request, 'none', [
        reason('missing_test_command'),
        ...(plan.what === null ? [] : [reason('detail', { text: plan.what })]),
      ]);
    case 'hides_failures':
      return withoutVerdict(request, 'none', [reason('hides_failures'), reason('detail', { text: plan.why })]);
    case 'script':
      return judgeSteps(request, [
        ...rebuilding(request),
        { kind: 'tests', text: request.testCommand, command: asJunit(request, plan.command) },
      ]);
    case 'steps':
      if (request.apartFiles !== undefined) return judgeApart(request, plan.steps, request.apartFiles);
      return judgeSteps(request, [...rebuilding(request), ...plan.steps]);
    default:
      return plan satisfies never;
  }
}

const verifierStep = (text: string): TestStep => ({
  kind: 'tests',
  text,
  command: { runner: VERIFIER, program: text, args: [] },
});

/** Only a command that says no more than which runner to start can be repeated with other files. */
function judgeApart(request: JudgeRequest, steps: readonly TestStep[], files: readonly string[]): Promise<JudgeResult> {
  const [step] = steps;
  const { command } = step ?? {};
  const { env = {}, dir = '', entry } = command ?? {};
  const isPlain = steps.length === 1 && Object.keys(env).length === 0 && dir === '' && entry === undefined;
  if (step === undefined || command === undefined || !isPlain || usesOptions(command)) {
    const why = 'the test command says more than which runner to start';
    return Promise.resolve(withoutVerdict(request, command?.runner ?? 'none', [reason('runner_unusable', { why })]));
  }
  const args = command.runner === 'node-test' ? files.map((file) => `tests/${file}`) : [];
  return judgeSteps(request, [{ ...step, command: { ...command, args } }]);
}

/** Options of Node.js change how code is loaded. */
const usesOptions = ({ runner, args }: RunnerCommand): boolean =>
  runner === 'node-test' && args.some((arg) => arg.startsWith('-') && !/^--test(?:-reporter\b.*)?$/.test(arg));

const plainStep = (text: string): TestStep => ({
  kind: 'tests',
  text,
  command: {
    runner: 'script',
    program: 'sh',
    args: ['-c', text],
    alsoStarts: ['python3', 'node', 'npm', 'go', 'cargo'],
  },
});

function rebuilding({ rebuild, isolation }: JudgeRequest): readonly TestStep[] {
  // In a black box the code under test runs in a sandbox that it cannot write to.
  if (rebuild === undefined || rebuild === null || isolation === 'black_box') return [];
  const step: ShellStep = { kind: 'shell', text: rebuild, dir: '', usesNode: true, doesNothing: false };
  return [{ kind: 'other', text: rebuild, command: scriptCommand(step) }];
}

/** Where the task says that the command writes a report, that is read. */
function asJunit({ junitReport }: JudgeRequest, command: RunnerCommand): RunnerCommand {
  if (junitReport === undefined) return command;
  const dir = (command.dir ?? '').split('/').filter((part) => part !== '');
  return { ...command, runner: 'junit', report: `${dir.map(() => '../').join('')}${junitReport}` };
}

async function judgeSteps(request: JudgeRequest, steps: readonly TestStep[]): Promise<JudgeResult> {
  const runner = [...new Set(steps.flatMap(({ kind, command }) => (kind === 'tests' ? [command.runner] : [])))].join(
    ' + ',
  );
  const run = await runSteps(request, steps);
  if (run.kind === 'blocked') return withoutVerdict(request, runner, run.faults);
  return conclude(request, runner, run);
}

function conclude(request: JudgeRequest, runner: string, run: StepsRun): JudgeResult {
  const combined = combineRuns(run.runs, request.only ?? null);
  const { channel, note } = withWholeCommand(
    request,
    combined.channel,
    combined.end.kind === 'exited' ? combined.end.exitCode : null,
  );
  const { verdict, faults, protocolFaults } = decide({
    ...combined,
    channel,
    expected: request.only === undefined ? request.expectedTests : idsDue(request.only, channel.tests),
    interrupted: request.signal?.aborted ?? false,
    failedCommands: run.failedCommands,
  });
  const isExitCode = channel.exitCodeOnly && request.silentCommand === 'exit_code';
  const notes = [note, ...run.notes];
  return {
    passed: verdict === 'pass',
    verdict,
    faults: maskReasons(request, faults),
    protocolFaults: maskReasons(request, protocolFaults),
    exitCode: combined.end.kind === 'exited' ? combined.end.exitCode : null,
    durationMs: Math.round(run.durationMs),
    seen: isExitCode ? [] : maskIds(channel.tests, request),
    collected: request.mask.texts(channel.collected),
    isolation: isExitCode ? 'exit_code' : request.isolation,
    exitCodeOnly: channel.exitCodeOnly,
    reachedOut: run.reachedOut,
    failedCommands: run.failedCommands.map(({ text, how }) => ({ text: request.mask.text(text), how })),
    runnerErrors: request.mask.texts(channel.runnerErrors),
    note: notes.filter((text) => text !== null).join('; ') || null,
    output: run.output,
    runner,
    toolchain: run.toolchain,
    files: run.files,
    idleCommands: run.idleCommands,
  };
}

function maskReasons({ mask }: JudgeRequest, reasons: readonly Reason[]): Reason[] {
  return reasons.map((fault) => mapReasonText(fault, (text) => mask.text(text)));
}

/** The ids that were expected stand in the contract; any other is a word from outside. */
function maskIds(tests: readonly SeenTest[], { expectedTests, mask }: JudgeRequest): SeenTest[] {
  const expected = new Set(expectedTests);
  return tests.map(({ id, outcome, file }) => ({
    id: expected.has(id) ? id : mask.text(id),
    outcome,
    file: file === null ? null : mask.text(file),
  }));
}

/** A command that reported nothing is one test, unless others are expected of it. */
function withWholeCommand(
  { testCommand, expectedTests, silentCommand }: JudgeRequest,
  channel: ChannelReading,
  exitCode: number | null,
): { readonly channel: ChannelReading; readonly note: string | null } {
  const wholeCounts = (expectedTests ?? []).every((id) => id === testCommand);
  if (!channel.exitCodeOnly || exitCode === null || !wholeCounts) return { channel, note: null };
  const whole = { id: testCommand, outcome: exitCode === 0 ? 'passed' : 'failed', file: null } as const;
  return {
    channel: { ...channel, tests: [whole] },
    note: silentCommand === 'exit_code' ? EXIT_CODE_NOTE : WHOLE_SCRIPT_NOTE,
  };
}

function withoutVerdict(request: JudgeRequest, runner: string, faults: readonly Reason[]): JudgeResult {
  return {
    passed: false,
    verdict: 'blocked',
    faults,
    protocolFaults: faults,
    exitCode: null,
    durationMs: 0,
    seen: [],
    collected: [],
    isolation: request.isolation,
    exitCodeOnly: false,
    failedCommands: [],
    runnerErrors: [],
    note: null,
    output: '',
    runner,
    toolchain: [],
    files: null,
    idleCommands: [],
  };
}
