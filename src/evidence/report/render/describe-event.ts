import type { EventData, RunEvent } from '../../schema/events.ts';
import { cutText } from './text/bounds.ts';
import { type Words, quote } from './document.ts';
import { durationText, endingText, plural } from './text/words.ts';

/** Long enough to recognise a command; the event log has the full text. */
const COMMAND_LENGTH = 160;

const PROTECTED_WORDS = {
  true: 'protected directories are unchanged',
  false: 'protected directories were changed',
  null: 'nothing kept the engine from protected directories',
} as const;

/** Describes an event for readers. Text from outside is always quoted. */
export function describeEvent(event: RunEvent): Words {
  switch (event.type) {
    case 'run.started':
      return ['run started with engine ', quote(event.data.engine)];
    case 'task.contract.created':
      return ['contract fixed for task ', quote(event.data.task)];
    case 'gate.checked':
      return event.data.passed
        ? ['check passed: ', quote(event.data.gate), ...optional(event.data.detail)]
        : ['check refused: ', quote(event.data.gate), ...optional(event.data.reason), ...optional(event.data.detail)];
    case 'candidate.described':
      return ['engine described', ...optional(candidateText(event.data))];
    case 'sandbox.described':
      return [`sandbox: ${event.data.confinement.kind}, network ${event.data.confinement.network}`];
    case 'repository_settings.checked':
      return [`settings of the repository: ${hiddenCount(event.data)} hidden from the engine`];
    case 'targets.inspected':
      return [`target paths: ${event.data.conclusion}`];
    case 'protected_roots.checked':
      return [PROTECTED_WORDS[`${event.data.passed}`]];
    case 'blocker.raised':
      return ['reason against a pass: ', quote(event.data.reason)];
    case 'marker.written':
      return ['marker written: ', quote(event.data.path)];
    case 'usage.counted':
      return [`model used: ${plural(event.data.requests ?? 0, 'request')}`];
    case 'provision.completed':
      return [
        event.data.cached ? 'dependencies taken from the cache: ' : 'dependencies set up by ',
        quote(event.data.setup_command),
        `, ${durationText(event.data.duration_ms)}`,
      ];
    case 'plan.updated':
      return ['plan of ', plural(event.data.steps.length, 'step'), ...optional(event.data.steps.join(' → '))];
    case 'backend.started':
      return ['engine started', ...optional(cutText(event.data.argv.join(' '), COMMAND_LENGTH))];
    case 'backend.exited':
      return [`engine ${endingText(event.data.completion, event.data.exit_code)}`];
    case 'backend.timeout':
      return [
        `engine stopped at its time limit after ${durationText(event.data.after_ms)}; marker `,
        quote(event.data.marker),
      ];
    case 'backend.completed_by_harness':
      return ['engine ended by the harness after the committed proof: commit ', quote(event.data.commit)];
    case 'provider.unavailable':
      return ['model provider unavailable', ...optional(event.data.detail)];
    case 'model.request':
      return [
        'model asked: ',
        quote(`${event.data.provider}/${event.data.model}`),
        `, ${answerText(event.data.http_status)}`,
      ];
    case 'model.refused':
      return ['refused on the way to the model', ...optional(event.data.reason)];
    case 'patch.applied':
      return [
        plural(event.data.files.length, 'file'),
        ' changed in the workspace',
        ...optional(event.data.files.join(', ')),
      ];
    case 'git.diff.checked':
      return [
        `diff taken: ${plural(event.data.changed_files.length, 'file')} changed, `,
        `${plural(event.data.disallowed_writes.length, 'file')} outside what the task allows`,
        ...optional(event.data.faults.join('; ')),
      ];
    case 'review.completed':
      return [
        `review ${event.data.verdict} by `,
        quote(event.data.by),
        ...(event.data.findings === undefined ? [] : [`, ${plural(event.data.findings.length, 'finding')}`]),
        ...optional(event.data.comment),
      ];
    case 'approval.requested':
      return ['approval asked for ', quote(event.data.action)];
    case 'approval.granted':
      return ['approval granted for ', quote(event.data.action), ' by ', quote(event.data.by)];
    case 'approval.denied':
      return ['approval denied for ', quote(event.data.action), ' by ', quote(event.data.by)];
    case 'verification.completed':
      return [
        `judged: ${event.data.passed ? 'passed' : 'not passed'}, ${plural(event.data.tests.length, 'test')} reported, `,
        exitText(event.data.exit_code),
        ...optional(event.data.faults.join('; ')),
      ];
    case 'base.recorded':
      return [
        `tests of the base ${event.data.cached ? 'known' : 'recorded'}: ${plural(event.data.tests, 'test')}, ${event.data.failing} failing`,
      ];
    case 'change.judged':
      return [`judged by the tests of the base: ${event.data.proof ?? 'not proven'}, ${event.data.fixed.length} fixed`];
    case 'baseline.completed':
      return [`control run ended: ${event.data.status}`, ...optional(event.data.reason)];
    case 'secrets.masked':
      return ['secrets masked', ...optional(event.data.found.map(({ name, count }) => `${name} ×${count}`).join(', '))];
    case 'run.completed':
      return [`run completed: ${event.data.status}`, ...optional(event.data.failure_reason)];
    case 'engine.message':
      return ['says ', quote(event.data.text)];
    case 'engine.tool':
      return ['used a tool: ', quote(event.data.name), ...optional(cutText(event.data.detail, COMMAND_LENGTH))];
    case 'engine.tool_result':
      return [
        event.data.ok ? 'tool succeeded' : 'tool failed',
        ...optional(cutText(event.data.detail, COMMAND_LENGTH)),
      ];
    case 'engine.edit':
      return ['says that it changed ', quote(event.data.path)];
    case 'engine.session':
      return ['conversation ', quote(event.data.id)];
    case 'engine.usage':
      return [`says that it used ${event.data.input_tokens} + ${event.data.output_tokens} tokens`];
    case 'engine.claim':
      return [
        'claims ',
        quote(event.data.text),
        ...(event.data.commit === null ? [] : [' at commit ', quote(event.data.commit)]),
      ];
    default:
      event satisfies never;
      return [];
  }
}

const hiddenCount = ({ settings }: EventData<'repository_settings.checked'>): number =>
  settings.filter(({ state }) => state !== 'shown').length;

function candidateText({ stage, executable, model }: EventData<'candidate.described'>): string {
  return [
    ...(stage === null ? [] : [`stage ${stage}`]),
    ...(executable === null ? [] : [executable.path]),
    ...(model === null ? [] : [`${model.provider}/${model.name}`]),
  ].join(', ');
}

/** An engine's own statements stay claims, whichever component recorded them. */
export function isClaim(event: RunEvent): boolean {
  return event.source === 'engine' || event.type.startsWith('engine.');
}

function optional(text: string | null): Words {
  return text === null || text === '' ? [] : [': ', quote(text)];
}

/** 0 means that the request ended before there was a status. */
function answerText(httpStatus: number): string {
  return httpStatus === 0 ? 'without an answer' : `HTTP ${httpStatus}`;
}

function exitText(exitCode: number | null): string {
  return exitCode === null ? 'no exit code' : `exit code ${exitCode}`;
}
