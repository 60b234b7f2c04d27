import type { ExecutableRecord, ModelRecord, SourceRecord, TaskRecord } from '../evidence/schema/admission.ts';
import { sha256 } from '../kernel/digest.ts';
import type { AdmissionFacts } from './facts.ts';
import { policyOf } from './policy.ts';

/** Records and facts for tests: an engine `case` with everything admitted. */
const PIN = '7959ac917cdeb0983b4aaa20bb9f42021747fed8';
const DECIDED = { admitted_at: '2026-06-01T00:00:00.000Z', approver: 'jp' };

export const sampleSource: SourceRecord = {
  schema_version: 1,
  kind: 'source',
  engine: 'case',
  id: 'workos-case',
  url: 'https://git.example/case.git',
  commit: PIN,
  tag: null,
  other_ids: [],
  previous_ids: [],
  license_note: 'none stated',
  retrieved_at: '2026-05-31',
  retrieval_command: 'git clone https://git.example/case.git',
  integrity: { source_lock: `git:${PIN}` },
  allowed_execution_mode: 'executable supplied by the user, confined',
  protected_source_boundary: 'never changed, never shown to an engine',
  build_command: 'bun run build:binary',
  build_output: 'dist/ca',
  required_tools: [{ name: 'bun', present: false, version: null }],
  discovery_only: false,
  discovery_note: null,
  ...DECIDED,
};

export const sampleExecutable: ExecutableRecord = {
  schema_version: 1,
  kind: 'executable',
  engine: 'case',
  sha256: sha256('ca'),
  size: 2,
  path: '/opt/case/ca',
  source: 'workos-case',
  source_commit: PIN,
  identity: 'ca',
  ...DECIDED,
};

export const sampleModel: ModelRecord = {
  schema_version: 1,
  kind: 'model',
  engine: 'case',
  provider: 'qwen-local',
  model: 'qwen3.6-35b-a3b',
  runtime: { provider: 'openai', model: 'qwen3.6-35b-a3b' },
  wire: 'openai-chat',
  endpoint_variable: 'CTO_HARNESS_CASE_LOCAL_BASE_URL',
  key_variable: null,
  auth_bridge: null,
  prices: null,
  ...DECIDED,
};

export const sampleTask: TaskRecord = {
  schema_version: 1,
  kind: 'task',
  engine: 'case',
  task: 'r1-string-slugify',
  sha256: sha256('task'),
  path: '/srv/tasks/r1-string-slugify',
  mutation: 'copied artificial case only',
  ...DECIDED,
};

/** Facts that pass every check. */
export const admittedFacts: AdmissionFacts = {
  engine: 'case',
  policy: policyOf('case'),
  enabled: 'yes',
  stage: { named: '2', earned: 1 },
  admissions: {
    records: [
      { file: 'source.json', record: sampleSource },
      { file: 'ca.json', record: sampleExecutable },
      { file: 'qwen.json', record: sampleModel },
    ],
    faults: [],
  },
  executable: { state: 'present', use: 'copy', path: '/opt/case/ca', sha256: sampleExecutable.sha256, bytes: 2 },
  model: { provider: 'qwen-local', name: 'qwen3.6-35b-a3b' },
  variablesSet: new Set(['CTO_HARNESS_CASE_LOCAL_BASE_URL']),
  provenBridges: new Set(),
  signIns: {},
  endpointFaults: {},
  timeLimit: null,
  task: {
    name: sampleTask.task,
    mutation: sampleTask.mutation,
    sha256: sampleTask.sha256,
    builtIn: true,
    repository: null,
  },
  repository: 'other',
  confined: true,
  replayed: false,
  shape: { kind: 'content', detail: 'it answered' },
};
