import { sha256 } from '../../../kernel/digest.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Report } from '../../schema/report.ts';
import { sampleEvent, sampleReport } from './sample-report.fixture.ts';

/** A passing run of an engine that needs admission, with a model. */
export function gatedReport(changes: Partial<Report> = {}): Report {
  return sampleReport({
    backend: 'case',
    backend_completion: 'completed_by_harness',
    backend_exit_code: null,
    stage: 2,
    executable: {
      path: '/opt/case/bin/ca',
      sha256: `0de4aab86512${sha256('ca').slice(12)}`,
      source_commit: null,
      admission_status: 'admitted',
    },
    model: {
      provider: 'qwen-local',
      name: 'qwen3.6-35b-a3b',
      runtime_provider: 'openai',
      admission_status: 'admitted',
      observed: ['qwen3.6-35b-a3b'],
    },
    usage: { requests: 1200, input_tokens: 40_000, output_tokens: 2000, cost_usd: null },
    ...changes,
  });
}

/** The same run, refused by a check before its engine started. */
export function refusedReport(reason: string, changes: Partial<Report> = {}): Report {
  return gatedReport({
    status: 'blocked',
    failure_reason: reason,
    blockers: [reason],
    backend_process_started: false,
    backend_completion: 'not_started',
    usage: { requests: null, input_tokens: null, output_tokens: null, cost_usd: null },
    changed_files: [],
    tests: { ...sampleReport().tests, passed: false, exit_code: null, seen: [] },
    ...changes,
  });
}

export const GATES = ['enabled', 'stage', 'source', 'executable', 'model', 'credentials', 'endpoint', 'response shape'];

export function passedGates(gates: readonly string[]): readonly RunEvent[] {
  return gates.map((gate, index) =>
    sampleEvent(10 + index, 'gate.checked', { gate, passed: true, reason: null, detail: `${gate} is fine` }),
  );
}

export function refusedGate(gate: string, reason: string, detail: string, next = 'set it'): RunEvent {
  return sampleEvent(30, 'gate.checked', { gate, passed: false, reason, detail, next });
}

/** Model requests of an engine, one every ten milliseconds starting at `from`, all answered with `http_status`. */
export function modelCalls(count: number, from: number, http_status: number): readonly RunEvent[] {
  return Array.from({ length: count }, (_, index) =>
    sampleEvent(from + index * 10, 'model.request', { provider: 'qwen-local', model: 'qwen3.6-35b-a3b', http_status }),
  );
}
