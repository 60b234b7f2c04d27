import type { AgentResult, Category } from '../agent/envelope.ts';
import { type CaseAgent, AGENT_OF, type Fields, type CasePhase, type Profile } from './words.ts';

/** The events that change the state. */
export type StateChange =
  | { readonly event: 'pipeline_start'; readonly taskId: string; readonly profile: Profile; readonly plan: Fields }
  | { readonly event: 'phase_start'; readonly phase: CasePhase; readonly agent: CaseAgent }
  | {
      readonly event: 'phase_end';
      readonly phase: CasePhase;
      readonly agent: CaseAgent;
      readonly outcome: 'completed' | 'failed' | 'skipped';
      readonly durationMs: number;
      readonly result?: AgentResult;
    }
  | { readonly event: 'status_changed'; readonly from: string; readonly to: string }
  | {
      readonly event: 'revision_requested';
      readonly source: string;
      readonly cycle: number;
      readonly failedCategories: readonly Category[];
    }
  | { readonly event: 'revision_budget_exhausted'; readonly cycles: number }
  | { readonly event: 'tool_start'; readonly [field: string]: unknown }
  | { readonly event: 'tool_end'; readonly [field: string]: unknown }
  | {
      readonly event: 'pipeline_end';
      readonly outcome: 'completed' | 'failed';
      readonly failedAgent?: CaseAgent;
      readonly durationMs: number;
    };
export type Event = StateChange & { readonly ts: string; readonly sequence: number; readonly runId: string };

export interface PhaseState {
  readonly phase: CasePhase;
  readonly status: 'running' | 'completed' | 'failed' | 'skipped';
  readonly started: string;
  readonly completed: string | null;
  readonly result: AgentResult | null;
}

export interface State {
  readonly status: string;
  /** Keyed by phase and cycle. */
  readonly phases: ReadonlyMap<string, PhaseState>;
  readonly cycle: number;
  readonly pendingRevision: Fields | null;
  readonly ended: boolean;
  readonly sequence: number;
}

export const NO_STATE: State = {
  status: 'active',
  phases: new Map(),
  cycle: 0,
  pendingRevision: null,
  ended: false,
  sequence: 0,
};

export const phaseKey = (phase: CasePhase, cycle: number): string =>
  phase === 'close' || phase === 'retrospective' ? phase : `${phase}_${cycle}`;

export function reduce(before: State, event: Event): State {
  const state = { ...before, sequence: event.sequence };
  switch (event.event) {
    case 'phase_start': {
      const begun = {
        phase: event.phase,
        status: 'running',
        started: event.ts,
        completed: null,
        result: null,
      } as const;
      return { ...state, phases: new Map(state.phases).set(phaseKey(event.phase, state.cycle), begun) };
    }
    case 'phase_end': {
      const key = phaseKey(event.phase, state.cycle);
      const phase = state.phases.get(key);
      if (phase === undefined) return state;
      const ended = { ...phase, status: event.outcome, completed: event.ts, result: event.result ?? phase.result };
      return { ...state, phases: new Map(state.phases).set(key, ended) };
    }
    case 'status_changed':
      return { ...state, status: event.to };
    case 'revision_requested': {
      const { source, failedCategories, cycle } = event;
      return { ...state, cycle, pendingRevision: { source, failedCategories, summary: '', suggestedFocus: [], cycle } };
    }
    case 'pipeline_end':
      return { ...state, ended: true };
    case 'pipeline_start':
    case 'revision_budget_exhausted':
    case 'tool_start':
    case 'tool_end':
      return state;
  }
}

/** The fields for the task file. A phase that was skipped in a later, unused cycle counts as not started. */
export function taskFields(state: State, markers: ReadonlySet<string>): Fields {
  const shown = [...state.phases.values()].filter(({ phase }) => phase !== 'retrospective');
  const agents = shown.map(({ phase, started, completed, status }) => [
    AGENT_OF[phase],
    { started, completed, status: status === 'skipped' ? 'pending' : status },
  ]);
  const closed = state.phases.get('close')?.result?.artifacts;
  return {
    status: state.status,
    agents: Object.fromEntries(agents),
    tested: markers.has('tested'),
    manualTested: false,
    prUrl: closed?.prUrl ?? null,
    prNumber: closed?.prNumber ?? null,
    pendingRevision: state.pendingRevision,
  };
}
