import { REASONS } from '../../reasons/catalogue.ts';
import { ZERO_DIGEST, sha256 } from '../../../kernel/digest.ts';
import type { EventData, EventSource, EventType, RunEvent } from '../../schema/events.ts';
import type { Report } from '../../schema/report.ts';
import type { ReportView } from './view.ts';

/** Views for tests: a passing run, and variations of it. */
export const SAMPLE_PATCH = `diff --git a/strings.py b/strings.py
index 3f1c2aa..9b0de11 100644
--- a/strings.py
+++ b/strings.py
@@ -1,5 +1,8 @@
+import re
+
+
 def slugify(text):
-    return text.lower().replace(" ", "-")
+    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
 
 
 def title(text):
`;

const STARTED = Date.parse('2026-11-15T23:41:00.000Z');
const TEST_IDS = ['plain words', 'many spaces', 'punctuation', 'empty text', 'leading dash'].map(
  (name) => `test_strings.py::test_slugify[${name}]`,
);

export function sampleReport(changes: Partial<Report> = {}): Report {
  return {
    schema_version: 1,
    run_id: '20261115T234100Z-r1-string-slugify-4242',
    run_dir: '/srv/demo/.seatrial/runs/20261115T234100Z-r1-string-slugify-4242',
    task: 'r1-string-slugify',
    status: 'pass',
    failure_reason: null,
    blockers: [],
    markers: [],
    backend: 'fake',
    backend_exit_code: 0,
    backend_process_started: true,
    backend_completion: 'exited',
    run_started_at: '2026-11-15T23:41:00.000Z',
    run_ended_at: '2026-11-15T23:41:00.431Z',
    duration_ms: 431,
    stage: null,
    mutation: 'copied workspace',
    writable_roots: { runtime_workspace_root: '/workspace', run_artifact_dir: '/srv/demo/.seatrial/runs/x' },
    changed_files: ['strings.py'],
    patch: { path: 'patch.diff', sha256: sha256(SAMPLE_PATCH), bytes: SAMPLE_PATCH.length },
    tests: {
      command: 'python3 -m pytest -q',
      passed: true,
      exit_code: 0,
      duration_ms: 188,
      expected: TEST_IDS,
      seen: TEST_IDS.map((id) => ({ id, outcome: 'passed' })),
      isolation: 'black_box',
      note: null,
    },
    required_events_passed: true,
    missing_events: [],
    allowed_writes_passed: true,
    disallowed_writes: [],
    ignored_files: [],
    source_admission_status: 'not_admitted',
    executable: null,
    model: null,
    usage: { requests: null, input_tokens: null, output_tokens: null, cost_usd: null },
    confinement: {
      kind: 'bubblewrap',
      network: 'none',
      probe_passed: true,
      limits: {
        processes: 256,
        open_files: 1024,
        cpu_seconds: 600,
        file_bytes: 268435456,
        disk_bytes: 1073741824,
        memory_bytes: 4294967296,
      },
      not_enforced: ['memory_bytes: no cgroup can be written here'],
      read_only: [],
    },
    provision: null,
    baseline: null,
    artifacts: {
      patch: 'patch.diff',
      test_log: 'test.log',
      events: 'events.normalized.jsonl',
      trace: 'trace.jsonl',
      no_target_inspection: 'stage2-no-target-inspection.json',
    },
    digests: { contract: sha256('contract'), base_tree: sha256('base'), tests: sha256('tests') },
    freshness: {
      nonce: 'f3b1c0de',
      chain_head: sha256('head'),
      ledger_head_at_start: ZERO_DIGEST,
      started_at: '2026-11-15T23:41:00.000Z',
      sealed_at: '2026-11-15T23:41:00.431Z',
    },
    approvals: [],
    review: null,
    toolchain: [{ name: 'python3', path: '/usr/bin/python3.11', version: 'Python 3.11.2', sha256: sha256('python') }],
    ...changes,
  };
}

export function sampleEvent<T extends EventType>(
  at: number,
  type: T,
  data: EventData<T>,
  source?: EventSource,
): Extract<RunEvent, { type: T }>;
export function sampleEvent(at: number, type: EventType, data: unknown, source: EventSource = 'harness'): unknown {
  const time = new Date(STARTED + at).toISOString();
  return { seq: 0, time, mono_ms: at, source, prev: ZERO_DIGEST, hash: ZERO_DIGEST, type, data };
}

export function sampleEvents(): readonly RunEvent[] {
  const started_at = '2026-11-15T23:41:00.000Z';
  const run_id = '20261115T234100Z-r1-string-slugify-4242';
  const tests = TEST_IDS.map((id) => ({ id, outcome: 'passed' as const }));
  return [
    sampleEvent(0, 'run.started', { run_id, nonce: 'f3b1c0de', engine: 'fake', started_at }),
    sampleEvent(9, 'task.contract.created', { task: 'r1-string-slugify', sha256: sha256('contract') }),
    sampleEvent(14, 'gate.checked', {
      gate: 'test command',
      passed: true,
      reason: null,
      detail: 'python3 -m pytest -q',
    }),
    sampleEvent(31, 'gate.checked', {
      gate: 'probe',
      passed: true,
      reason: null,
      detail: 'nothing outside was visible',
    }),
    sampleEvent(33, 'plan.updated', { steps: ['read strings.py', 'fix slugify'] }),
    sampleEvent(40, 'backend.started', { argv: ['/bin/sh', 'solution/solve.sh'] }),
    sampleEvent(62, 'engine.message', { text: 'I have fixed slugify and all tests pass.' }, 'engine'),
    sampleEvent(80, 'backend.exited', { exit_code: 0, completion: 'exited' }),
    sampleEvent(101, 'patch.applied', { files: ['strings.py'] }),
    sampleEvent(140, 'git.diff.checked', {
      changed_files: ['strings.py'],
      disallowed_writes: [],
      ignored_files: [],
      patch_sha256: sha256(SAMPLE_PATCH),
      faults: [],
    }),
    sampleEvent(380, 'verification.completed', {
      command: 'python3 -m pytest -q',
      passed: true,
      exit_code: 0,
      isolation: 'black_box',
      tests,
      faults: [],
    }),
    sampleEvent(402, 'run.completed', { status: 'pass', failure_reason: null, missing_events: [] }),
  ];
}

export function sampleView(changes: Partial<ReportView> = {}): ReportView {
  return {
    report: sampleReport(),
    events: sampleEvents(),
    reasons: REASONS,
    instruction: '# Slugs\n\n`slugify` must drop everything but letters and digits, and join words by one dash.\n',
    engineInstructions: '',
    history: null,
    patch: SAMPLE_PATCH,
    patchCut: false,
    testLog: '$ python3 -m pytest -q\n.....                                            [100%]\n5 passed in 0.02s\n',
    testLogCut: false,
    testOutputEnd: '',
    setupOutputEnd: '',
    ...changes,
  };
}
