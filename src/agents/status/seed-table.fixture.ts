import type { SessionFacts } from '../host/port.ts';

/** The configuration of the system that this one replaces, as far as its table shows it. */
export const SEED_TOML = `session_prefix = "cc-ci-"
log_dir = ".ao-state"
[defaults]
backend = "claude"
model = "sonnet"
watch = "heal"
[models]
opus = "claude-opus-4-8"
sonnet = "claude-sonnet-4-6"
${Array.from({ length: 18 }, (_, at) => `[[phases]]\nid = "p${at}"\nplan = "plan-${at}.md"\nmodels = "opus"\n`).join('')}[[phases]]
id = "poe2e"
plan = "plan-phase-poe2e-end-to-end.md"
models = { builder = "opus", adversary = "sonnet" }
[agents.orchestrator]
kind = "persistent"
model = "opus"
[agents.builder]
kind = "loop"
role = "builder"
watch = "heal+stall"
[agents.adversary]
kind = "loop"
role = "adversary"
session = "adv"
watch = "heal+stall"
[agents.assistant]
kind = "persistent"
watch = "none"
enabled = false
[agents.upgrader]
kind = "task"
enabled = false
[agents.report]
kind = "task"
model = "opus"
enabled = false
[agents.cleanlogs]
kind = "service"
command = "seatrial logs clean --follow"
`;

/** Its sessions. One has a name that begins like that of the assistant. */
export const SEED_SESSIONS = [
  'cc-ci-adv',
  'cc-ci-assistant3',
  'cc-ci-cleanlogs',
  'cc-ci-builder',
  'cc-ci-orchestrator',
  'cc-ci-report',
  'cc-ci-upgrader',
  'cc-ci-watchdog',
];

/** Its status text, captured. */
export const SEED_STATUS = `phase: poe2e [19/19] plan=plan-phase-poe2e-end-to-end.md (in progress)
orchestrator persistent claude claude-opus-4-8 heal RUNNING
builder loop claude claude-opus-4-8 heal+stall RUNNING
adversary loop claude claude-sonnet-4-6 heal+stall RUNNING
assistant persistent claude claude-sonnet-4-6 none stopped (disabled)
upgrader task claude claude-sonnet-4-6 none RUNNING (disabled)
report task claude claude-opus-4-8 none RUNNING (disabled)
cleanlogs service - - - RUNNING
watchdog service - - - RUNNING
`;

export function livingSession(name: string, changes: Partial<SessionFacts> = {}): SessionFacts {
  const at = new Date('2026-06-13T19:00:00Z');
  return {
    name,
    project: null,
    spawn: null,
    pid: 100,
    dead: null,
    createdAt: at,
    outputAt: at,
    personActiveAt: null,
    title: '',
    ...changes,
  };
}
