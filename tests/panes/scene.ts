import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Descendants } from '../../src/confine/processes/descendants.ts';
import { PANES } from '../../src/engines/pane/list.ts';
import type { PaneRehearsal } from '../../src/engines/pane/rehearsal.fixture.ts';
import { readScreen } from '../../src/engines/pane/screen.ts';
import type { ModelScript } from '../../src/gateway/scripted/schema.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { AgentsPlace } from '../support/agents-place.ts';
import type { Ended } from '../support/seatrial.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';

const SOON_MS = 90_000;
/** A program may try for minutes before it says that a limit is reached. */
const LIMIT_SHOWN_MS = 240_000;

const ASK = 'please-ask-me-first';
const LIMITED = 'the-limit-is-reached';
const ANSWERED = 'The keel is laid';
const ANSWER_ENDS = 'Avast';
/** Whatever a shell, TOML or a terminal might make something else of. */
const KICKOFF = `Lay the keel.\n\nIt's "quoted", \`ticked\`, $HOME and \\n stay as they are:\n- all of it\n- until the-last-line`;

/** Slow enough to be seen at work, as a model is. */
const SCRIPT = (asked: PaneRehearsal['asked']): ModelScript => ({
  turns: [
    ...(asked === null ? [] : [{ when: ASK, tool_calls: [asked], pause_ms: 300 }]),
    { text: `${ANSWERED}. ${'All timbers were looked at and are sound. '.repeat(8)}${ANSWER_ENDS}.`, pause_ms: 300 },
  ],
});

/** Null: the program has no such thing. */
export type Outcome = { readonly ok: boolean; readonly seen: string } | null;

/** A project on a tmux server of its own, with one real program in two panes that are started one after the other. */
export class PaneScene {
  readonly #rehearsal: PaneRehearsal;
  readonly #place: AgentsPlace;
  readonly #env: Readonly<Record<string, string>>;
  readonly #model: ScriptedModel;
  readonly #endpoint: Endpoint;

  private constructor(rehearsal: PaneRehearsal, programDir: string, model: ScriptedModel, endpoint: Endpoint) {
    this.#rehearsal = rehearsal;
    this.#model = model;
    this.#endpoint = endpoint;
    const { origin } = endpoint;
    const variables = rehearsal.env(origin);
    const files = Object.entries(rehearsal.files?.(origin) ?? {}).flatMap(([name, content]) =>
      ['worker', 'limited'].map((agent) => [`.ao-state/agents/${agent}/config/${name}`, content] as const),
    );
    this.#place = new AgentsPlace(tomlOf(rehearsal, origin), { 'repo/a.txt': 'a\n', ...Object.fromEntries(files) });
    const path = [programDir, dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
    this.#env = { ...this.#place.env, ...variables, PATH: path };
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['commit', '-qm', 'Start'],
    ])
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: join(this.#place.project, 'repo'),
      });
  }

  static async open(rehearsal: PaneRehearsal, programDir: string): Promise<PaneScene> {
    const model = await startScriptedModel(SCRIPT(rehearsal.asked));
    return new PaneScene(rehearsal, programDir, model, await startEndpoint(model.url, LIMITED, rehearsal.limit));
  }

  async close(): Promise<void> {
    this.#place.remove();
    await this.#endpoint.close();
    await this.#model.close();
  }

  /** The model was asked exactly what the kickoff says, and the watchdog saw that it was taken. */
  async kickoffTaken(): Promise<Outcome> {
    const up = await this.#call('up', 'worker');
    if (up.code !== 0) return { ok: false, seen: up.stderr.trim() };
    const taken = await this.#until(() => this.#taken('worker') === 1 && this.#asked(KICKOFF) > 0);
    return this.#told('worker', taken, 'taken');
  }

  /** The program is killed, started again with its conversation, and takes the kickoff again. */
  async crashHealed(): Promise<Outcome> {
    await this.#turnOver();
    const before = this.#model.requests.length;
    const pane = this.#place.panePid('p-worker');
    for (const pid of new Descendants(pane).list()) if (pid !== pane) process.kill(pid, 'SIGKILL');
    const healed = await this.#until(() => {
      const [, again] = this.#place.facts('agent.started');
      const remembered = this.#model.requests.slice(before).some(({ body }) => JSON.stringify(body).includes(ANSWERED));
      return again?.resumed === true && remembered && this.#taken('worker') === 2;
    });
    return this.#told('worker', healed, 'resumed');
  }

  /** A dialog is up, and the status asks for a person. */
  async permissionRecognised(): Promise<Outcome> {
    if (this.#rehearsal.asked === null) return null;
    await this.#turnOver();
    await this.#call('send', 'worker', ASK);
    const needs = await this.#until(() =>
      this.#place.facts('agent.needs').some(({ agent, what }) => agent === 'worker' && what === 'permission'),
    );
    return this.#told('worker', needs, 'needs you');
  }

  /** The model refuses because of a usage limit, and the status says so. */
  async limitRecognised(): Promise<Outcome> {
    await this.#call('down', 'worker');
    const up = await this.#call('up', 'limited');
    if (up.code !== 0) return { ok: false, seen: up.stderr.trim() };
    const limited = await this.#until(() => this.#place.facts('agent.limited').length > 0, LIMIT_SHOWN_MS);
    const [fact] = this.#place.facts('agent.limited');
    const told = this.#rehearsal.limit.until === undefined || typeof fact?.until === 'string';
    return this.#told('limited', limited && told, fact?.until ? `until ${fact.until}` : 'without an end');
  }

  #call(...args: readonly string[]): Promise<Ended> {
    return this.#place.place.seatrial(args, { cwd: this.#place.project, env: this.#env });
  }

  #taken(name: string): number {
    return this.#place.facts('kickoff.delivered').filter(({ agent, taken }) => agent === name && taken).length;
  }

  #asked(text: string): number {
    const inJson = JSON.stringify(text).slice(1, -1);
    return this.#model.requests.filter(({ body }) => JSON.stringify(body).includes(inJson)).length;
  }

  /** The answer is there to its end, so that the program has written down what it is to remember. */
  async #turnOver(): Promise<void> {
    const rules = PANES.get(this.#rehearsal.agent.name)?.screens ?? [];
    const target = ['-t', '=p-worker:'];
    await this.#until(() => {
      const title = this.#place.tmux('display-message', '-p', ...target, '#{pane_title}').trimEnd();
      const text = this.#place.tmux('capture-pane', '-p', ...target).trimEnd();
      const { state } = readScreen(rules, { title, lines: text.split('\n') }, new Date());
      return state === 'idle' && text.includes(ANSWER_ENDS);
    });
  }

  async #until(isSo: () => boolean, limitMs = SOON_MS): Promise<boolean> {
    for (const began = Date.now(); Date.now() - began < limitMs; await wait(500)) if (isSo()) return true;
    return isSo();
  }

  /** What was wrong is shown with all that is known of it. */
  async #told(agent: string, ok: boolean, seen: string): Promise<Outcome> {
    if (ok) return { ok, seen };
    const why = await this.#call('why', agent);
    const screen = this.#place.tmux('capture-pane', '-p', '-t', `=p-${agent}:`).trimEnd();
    const facts = this.#place.journal().map((fact) => JSON.stringify(fact));
    return { ok, seen: [why.stdout.trim(), ...facts.slice(-8), screen].join('\n') };
  }
}

function tomlOf({ agent, model, env, args }: PaneRehearsal, origin: string): string {
  const own = [
    'kind = "persistent"',
    `args = ${JSON.stringify(args?.(origin) ?? [])}`,
    `env = ${JSON.stringify(Object.keys(env(origin)))}`,
  ];
  return [
    'session_prefix = "p-"',
    'repo = "repo"',
    '[defaults]',
    `backend = "${agent.name}"`,
    `model = "${model}"`,
    '[agents.worker]',
    'role = "worker"',
    `prompt = ${JSON.stringify(KICKOFF)}`,
    ...own,
    '[agents.limited]',
    'role = "limited"',
    `prompt = "${LIMITED}"`,
    ...own,
    '',
  ].join('\n');
}
