import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { digestInstalled, findInstalledProgram } from '../../confine/tools/installed-program.ts';
import { nodePackageOf } from '../../confine/tools/node-packages.ts';
import type { Wire } from '../../evidence/schema/exchange.ts';
import { startScriptedModel } from '../../gateway/scripted/server.ts';
import type { ModelScript } from '../../gateway/scripted/schema.ts';
import { npmPackages } from '../../confine/tools/npm-packages.fixture.ts';
import {
  type Behaviour,
  type FindAbsent,
  hiddenNames,
  LEAVE_MARK,
  OTHER_MODEL,
  type Rehearse,
  WORK,
} from '../conformance/behaviours.fixture.ts';
import { signInOf } from '../../gateway/sign-in/read.ts';
import { chooseEngine, engineNamed } from '../list.ts';
import { type AdmissionPolicy, UNRESTRICTED } from '../policy.ts';
import { startDyingEndpoint } from './dying-endpoint.fixture.ts';
import { standInProgram, talkingStandIn } from './stand-in.fixture.ts';
import { rehearseLogin } from '../sign-in/login.fixture.ts';

/** How a model makes this agent run a shell command, and where the agent comes from. */
export interface AgentRehearsal {
  readonly name: string;
  /** Its name on PATH, where it differs. */
  readonly program?: string;
  /** It is talked with, so it ends when its standard input does. */
  readonly converses?: true;
  /** The modes that its profile may ask for, the one in which it does not ask permission first. */
  readonly modes?: readonly string[];
  readonly wire: Wire;
  readonly model: string;
  readonly shell: (command: string) => { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** Where the agent asks permission only for what its own sandbox refused: the refusal, and the arguments with which a model then asks. */
  readonly escalation?: { readonly refusal: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** Settings in a repository with which the program, if it obeyed them, would run this shell command. */
  readonly hostileSettings: (command: string) => Readonly<Record<string, string>>;
  /** Variables with which it obeys settings of a repository that it would otherwise not trust. */
  readonly trusting?: Readonly<Record<string, string>>;
  /** Installed for the tests. Without it, the one on PATH is used, if there is one. */
  readonly pinned?: { readonly package: string; readonly version: string };
}

const KEY = 'canary-key-of-the-rehearsal';

export function findAbsent(agent: AgentRehearsal): FindAbsent {
  return async () => ((await programOf(agent)) === null ? `${agent.name} is not installed on this machine` : null);
}

/** The real program does the work, driven by a scripted model; a script around it runs the behaviour's shell commands before and after. */
export function rehearseAgent(agent: AgentRehearsal): Rehearse {
  return async (behaviour, scratch) => {
    const real = behaviour.standIn === true ? null : await programOf(agent);
    if (real === null && behaviour.standIn !== true) throw new Error(`${agent.name} is not installed on this machine`);
    const engine = chooseEngine(agent.name);
    const path = join(scratch, 'bin', agent.program ?? agent.name);
    mkdirSync(dirname(path));
    const script =
      real === null
        ? standInFor(agent, behaviour, engine.hides)
        : wrapperOf(agent, realpathSync(real), behaviour, engine.hides);
    writeFileSync(path, script, { mode: 0o755 });
    const [program] = Object.values(policyNamed(agent.name).logins).flatMap(({ of }) => of);
    const login = behaviour.login === true && program !== undefined ? rehearseLogin(program, scratch) : null;
    const model = await startScriptedModel(scriptFor(agent, behaviour), login === null ? {} : { demand: login.demand });
    const front = behaviour.model === 'dead' ? await startDyingEndpoint(model.url) : null;
    const url = login === null ? (front?.url ?? model.url) : new URL(login.path, model.url).href;
    const identity = { provider: login?.provider ?? 'scripted', model: agent.model };
    const admitted = { engine: agent.name, admitted_at: '2026-01-01T00:00:00.000Z', approver: 'tests' };
    const { sha256, bytes: size } = digestInstalled(path, null);
    return {
      engine,
      hostileSettings: agent.hostileSettings(LEAVE_MARK),
      readOnly: real === null ? [] : [packagesAround(real)],
      admitted: {
        setting: (terms) => ({
          env: {
            PATH: `${dirname(path)}:${process.env['PATH'] ?? ''}`,
            MODEL_URL: url,
            ...(login === null ? { MODEL_KEY: KEY } : login.env),
          },
          records: [
            {
              ...admitted,
              schema_version: 1,
              kind: 'executable',
              sha256,
              size,
              path,
              source: null,
              source_commit: null,
              identity: agent.name,
            },
            {
              ...admitted,
              schema_version: 1,
              kind: 'model',
              ...identity,
              runtime: identity,
              wire: login?.provider === 'openai-codex' ? 'openai-responses' : agent.wire,
              endpoint_variable: 'MODEL_URL',
              ...(login === null ? { key_variable: 'MODEL_KEY' } : { key_variable: null, login: login.program }),
              auth_bridge: null,
              prices: null,
            },
          ],
          earnedStage: 0,
          admitsTask: false,
          terms,
        }),
        upstream: { baseUrl: url, key: login === null ? KEY : signInOf(login.program, login.env) },
        secrets: [new URL(model.url).host, new URL(url).host, ...(login?.secrets ?? [KEY])],
      },
      close: async () => {
        await front?.close();
        await model.close();
      },
    };
  };
}

function standInFor({ converses, modes }: AgentRehearsal, behaviour: Behaviour, hides: readonly string[]): string {
  return converses ? talkingStandIn(behaviour, hides, modes ?? []) : standInProgram(behaviour, hides);
}

/** A program's own directory, and what was installed with it. */
function packagesAround(program: string): string {
  return nodePackageOf(realpathSync(program))?.replace(/\/node_modules\/.*$/, '/node_modules') ?? dirname(program);
}

const policyNamed = (name: string): AdmissionPolicy => engineNamed(name)?.policy ?? UNRESTRICTED;

async function programOf({ name, program = name, pinned }: AgentRehearsal): Promise<string | null> {
  if (pinned === undefined) return findInstalledProgram(program, process.env);
  const packages = await npmPackages(pinned.package, pinned.version);
  if (packages === null) return null;
  // No sandbox shows anything below the project's own directory.
  const kept = copies.get(packages) ?? copyOutside(packages);
  copies.set(packages, kept);
  return join(kept, 'node_modules/.bin', program);
}

const copies = new Map<string, string>();

function copyOutside(packages: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-agent-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  cpSync(packages, join(dir, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  return dir;
}

/** The model's first answer is the work, as a shell command; what that prints leads to the second. */
function scriptFor({ shell, escalation }: AgentRehearsal, { work, model: fault }: Behaviour): ModelScript {
  const said = { text: 'Created the fix.' };
  // The harness asks a question of its own first, which is answered.
  if (fault === 'dead') return { turns: [said] };
  if (fault !== undefined) return { turns: [{ ...said, when: 'Answer with the single word READY.' }, { fault }] };
  if (work === 'nothing') return { turns: [said] };
  const { name, arguments: given } = shell(`${WORK[work]}\nprintf 'WORK-%s\\n' DONE`);
  const call = (further: Readonly<Record<string, unknown>>): ModelScript['turns'][number] => ({
    tool_calls: [{ name, arguments: { ...given, ...further } }],
  });
  const asking = escalation === undefined ? [] : [{ ...call(escalation.arguments), when: escalation.refusal }];
  return { turns: [{ ...said, when: 'WORK-DONE' }, ...asking, call({})] };
}

function wrapperOf(
  { converses, wire, trusting = {} }: AgentRehearsal,
  real: string,
  { before = '', after = '', hostileSettings, asksOtherModel, timeLimitSec }: Behaviour,
  hides: readonly string[],
): string {
  const ending = `( ${after === '' ? ':' : after}\n) || exit $?`;
  const hangs = timeLimitSec !== undefined && after !== '';
  return [
    '#!/bin/sh',
    hiddenNames(hides),
    ...Object.entries(hostileSettings ? trusting : {}).map(([name, value]) => `export ${name}=${value}`),
    before,
    asksOtherModel ? askOtherModel(wire) : '',
    // One that is talked with hangs before it says anything: after its turn it may be ended.
    ...(converses ? [hangs ? ending : '', CONVERSING.replace('REAL', real)] : [`${real} "$@"`, 'code=$?']),
    ...(converses && hangs ? [] : [ending]),
    converses ? 'exit 0' : 'exit $code',
    '',
  ].join('\n');
}

/** Ends the program with its standard input, so that what comes afterwards is run in time. */
const CONVERSING = `( cat; kill -9 "$(cat /tmp/agent.pid)" ) | sh -c 'echo $$ > /tmp/agent.pid; exec "$0" "$@"' REAL "$@"`;

const PATH_OF_WIRE: Readonly<Record<Wire, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: `/v1beta/models/${OTHER_MODEL}:generateContent`,
};

/** With the throw-away key, wherever the program was given it. */
function askOtherModel(wire: Wire): string {
  const body = JSON.stringify({
    model: OTHER_MODEL,
    messages: [{ role: 'user', content: 'x' }],
    input: 'x',
    contents: [],
  });
  return [
    `key=$({ env; find "$HOME" /artifacts -type f -exec cat {} + 2>/dev/null; } | grep -oE 'seatrial-[0-9a-f]{32}' | head -n 1)`,
    'for n in 1 2 3; do',
    `  curl -s -o /dev/null -H "authorization: Bearer $key" -H "x-api-key: $key" -H "x-goog-api-key: $key" -H 'content-type: application/json' -d '${body}' http://127.0.0.1:4010${PATH_OF_WIRE[wire]}`,
    'done',
  ].join('\n');
}
