import { type ChannelReading, readDriverChannel, readScriptChannel } from './sandbox/channel.ts';
import { readTestCommand } from './command/read.ts';
import { decide, MISSING_COMMAND } from './decide.ts';
import { executeTests, type TestExecution } from './sandbox/execute.ts';
import { withoutPackageManager } from './command/package-script.ts';
import { prepare } from './prepare.ts';
import type { TestRecord } from '../../evidence/schema/report.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

const IN_PROCESS_NOTE = "code under test shared the judge's process; a hostile patch could forge this";
const WHOLE_SCRIPT_NOTE = 'the script reported no tests, so it counts as one test, decided by its exit code';

/** Judges a tree by its tests. Never rejects for what the tests or the code under test do: that is a verdict. */
export async function judge(request: JudgeRequest): Promise<JudgeResult> {
  const asked = readTestCommand(request.testCommand);
  const command = asked === null ? null : withoutPackageManager(asked, request.scriptsIn ?? request.workspace);
  if (command === null) return withoutVerdict(request, 'none', [MISSING_COMMAND]);
  const prepared = await prepare(request, command);
  if (!prepared.ready) return withoutVerdict(request, command.runner, prepared.faults);

  const course = await executeTests(request, prepared.invocation);
  const { channel, note } = readChannel(request, course, prepared.invocation.plan === null);
  const { verdict, faults, protocolFaults } = decide({
    end: course.end,
    channel,
    expected: request.expectedTests,
    subjectEnd: course.subjectEndedEarly,
    interrupted: request.signal?.aborted ?? false,
  });
  const notes = [request.isolation === 'in_process' ? IN_PROCESS_NOTE : null, note, prepared.note ?? null].filter(
    (text) => text !== null,
  );
  return {
    passed: verdict === 'pass',
    verdict,
    faults: request.mask.texts(faults),
    protocolFaults: request.mask.texts(protocolFaults),
    exitCode: course.end.kind === 'exited' ? course.end.exitCode : null,
    durationMs: Math.round(course.end.durationMs),
    seen: maskIds(channel.tests, request),
    isolation: request.isolation,
    note: notes.length === 0 ? null : notes.join('; '),
    output: course.output,
    runner: command.runner,
    toolchain: prepared.toolchain,
    files: course.files,
  };
}

/** The ids that were expected stand in the contract; any other is a word from outside. */
function maskIds(tests: readonly TestRecord[], { expectedTests, mask }: JudgeRequest): TestRecord[] {
  const expected = new Set(expectedTests);
  return tests.map(({ id, outcome }) => ({ id: expected.has(id) ? id : mask.text(id), outcome }));
}

function readChannel(
  { nonce, testCommand, expectedTests }: JudgeRequest,
  { end, reports }: TestExecution,
  isScript: boolean,
): { readonly channel: ChannelReading; readonly note: string | null } {
  if (!isScript) return { channel: readDriverChannel(reports, nonce), note: null };
  const exitCode = end.kind === 'exited' ? end.exitCode : null;
  const channel = readScriptChannel(reports, exitCode);
  const wholeCounts = (expectedTests ?? []).every((id) => id === testCommand);
  if (exitCode === null || reports.length > 0 || !wholeCounts) return { channel, note: null };
  const whole = { id: testCommand, outcome: exitCode === 0 ? 'passed' : 'failed' } as const;
  return { channel: { ...channel, tests: [whole] }, note: WHOLE_SCRIPT_NOTE };
}

function withoutVerdict(request: JudgeRequest, runner: string, faults: readonly string[]): JudgeResult {
  return {
    passed: false,
    verdict: 'blocked',
    faults,
    protocolFaults: faults,
    exitCode: null,
    durationMs: 0,
    seen: [],
    isolation: request.isolation,
    note: request.isolation === 'in_process' ? IN_PROCESS_NOTE : null,
    output: '',
    runner,
    toolchain: [],
    files: null,
  };
}
