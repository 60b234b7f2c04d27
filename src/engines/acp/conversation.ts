import { client, type ClientConnection, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { type JsonObject, objectIn, textIn } from '../../gateway/exchange/json.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { ConversationEnd, ConversationPeer } from '../definition.ts';
import { shortCall } from '../agent/diagnose.ts';
import type { PermissionRequest } from '../permission-request.ts';
import type { MessageStream } from './message-stream.ts';
import { answersIn } from './permission-answer.ts';
import { modeInUpdate, sessionModeIn } from './session-mode.ts';
import { UpdateReader } from './update-reader.ts';

/** What an agent is asked to do, and how. */
export interface Assignment {
  readonly engine: string;
  readonly instruction: string;
  readonly workspace: string;
  /** The mode it must be in; null: its profile names none. */
  readonly mode: string | null;
  /** It is to ask before it acts. */
  readonly asks: boolean;
}

/** From its start until it is ready for the instruction. */
const READY_WITHIN_MS = 120_000;
const MAX_PERMISSION_REQUESTS = 1000;
const MAX_EQUAL_DENIALS = 5;

/** Leads one agent through one turn. Never rejects: what goes wrong is its end. */
export async function converse(
  stream: MessageStream,
  peer: ConversationPeer,
  assignment: Assignment,
): Promise<ConversationEnd> {
  const conversation = new Conversation(peer, assignment);
  try {
    return await Promise.race([
      conversation.lead(stream),
      conversation.over,
      stream.tooLong.then(() => conversation.broken('a message of more than 32 MB')),
    ]);
  } finally {
    stream.ignoreRest();
    conversation.close();
  }
}

class Conversation {
  /** Settled early when the conversation cannot go on. */
  readonly over: Promise<ConversationEnd>;
  #end: (end: ConversationEnd) => void = () => {};
  readonly #peer: ConversationPeer;
  readonly #assignment: Assignment;
  readonly #reader = new UpdateReader();
  readonly #closed = new AbortController();
  /** Permission requests are answered one after the other. */
  #answering: Promise<unknown> = Promise.resolve();
  #requests = 0;
  #mode: string | null = null;
  #mayChangeMode = false;
  #hasDenied = false;
  /** How often in a row the same call was denied. */
  #again = { question: '', count: 0 };
  #connection: ClientConnection | null = null;

  constructor(peer: ConversationPeer, assignment: Assignment) {
    this.over = new Promise((resolve) => (this.#end = resolve));
    this.#peer = peer;
    this.#assignment = assignment;
  }

  async lead(stream: MessageStream): Promise<ConversationEnd> {
    stream.onUpdate((update) => this.#takeUpdate(update));
    const connection = client({ name: 'seatrial' })
      .onRequest(methods.client.session.requestPermission, objectIn, ({ params }) => this.#answerPermission(params))
      .connect(stream);
    this.#connection = connection;
    void connection.closed.then(() => this.#closed.abort());
    let asked = '';
    const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
      asked = method;
      return objectIn(await connection.agent.request(method, params));
    };
    const late = setTimeout(() => {
      this.#end(this.broken(`no answer to ${asked} within ${READY_WITHIN_MS / 1000} s`));
    }, READY_WITHIN_MS);
    try {
      const sessionId = await this.#open(ask);
      if (typeof sessionId !== 'string') return sessionId;
      clearTimeout(late);
      const prompt = [{ type: 'text', text: this.#assignment.instruction }];
      const response = await ask(methods.agent.session.prompt, { sessionId, prompt });
      this.#peer.record(this.#reader.readEnd(response));
      return this.#ended(textIn(response['stopReason']));
    } catch (error) {
      this.#peer.record(this.#reader.flush());
      if (this.#closed.signal.aborted) return this.broken(`it ended before it answered ${asked}`);
      return this.broken(`${asked} failed`, messageOf(error));
    } finally {
      clearTimeout(late);
    }
  }

  close(): void {
    this.#closed.abort();
    this.#connection?.close();
  }

  broken(why: string, said = ''): ConversationEnd {
    const { engine } = this.#assignment;
    return {
      kind: 'broken',
      reason: reason('conversation_broken', { engine, why }),
      detail: said === '' ? why : `${why}: ${said}`,
    };
  }

  /** The id of a session in the right mode, or why there is none. */
  async #open(ask: (method: string, params: JsonObject) => Promise<JsonObject>): Promise<string | ConversationEnd> {
    const { workspace } = this.#assignment;
    const version = (
      await ask(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        // Reads and writes happen in the sandbox, by the agent itself.
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'seatrial', version: '1' },
      })
    )['protocolVersion'];
    if (version !== PROTOCOL_VERSION)
      return this.broken(`it speaks version ${String(version)} of the protocol, not ${PROTOCOL_VERSION}`);
    const session = await ask(methods.agent.session.new, { cwd: workspace, mcpServers: [] });
    const sessionId = textIn(session['sessionId']);
    if (sessionId === '') return this.broken('session/new gave no session');
    this.#peer.record([{ type: 'engine.session', data: { id: sessionId } }]);
    return (await this.#enterMode(session, ask)) ?? sessionId;
  }

  /** Null: the session is in the mode that it must be in. */
  async #enterMode(
    session: JsonObject,
    ask: (method: string, params: JsonObject) => Promise<JsonObject>,
  ): Promise<ConversationEnd | null> {
    const { mode, engine } = this.#assignment;
    if (mode === null) return null;
    const now = sessionModeIn(session);
    const refuse = (detail: string): ConversationEnd => ({
      kind: 'broken',
      reason: reason('agent_mode_unavailable', { engine, mode }),
      detail,
    });
    if (now === null) return refuse('the agent has no modes; remove `modes` from its profile');
    this.#mode = now.current;
    if (now.current === mode) return null;
    if (!now.offered.includes(mode))
      return refuse(`the agent is in ${now.current} and offers ${now.offered.join(', ')}`);
    const { method, params } = now.request(mode);
    try {
      const answer = await ask(method, params);
      this.#mode = sessionModeIn({ configOptions: answer['configOptions'] })?.current ?? mode;
    } catch (error) {
      if (this.#closed.signal.aborted) throw error;
      return refuse(messageOf(error));
    }
    return this.#mode === mode ? null : refuse(`the agent stays in ${this.#mode}`);
  }

  #takeUpdate(update: JsonObject): void {
    const { mode, asks, engine } = this.#assignment;
    this.#peer.record(this.#reader.read(update));
    const changed = modeInUpdate(update);
    if (changed === null || changed === this.#mode) return;
    const isAsked = changed === mode || this.#mayChangeMode;
    // Before the session is ready, the mode is still being set.
    const isReady = this.#mode === mode;
    this.#mode = changed;
    if (asks && isReady && !isAsked)
      this.#end({
        kind: 'broken',
        reason: reason('agent_mode_changed', { engine, mode: changed }),
        detail: `it was to be in ${mode}, in which it asks before it acts`,
      });
  }

  #answerPermission(params: JsonObject): Promise<JsonObject> {
    const answer = this.#answering.then(() => this.#decide(params));
    this.#answering = answer.catch(() => {});
    return answer;
  }

  async #decide(params: JsonObject): Promise<JsonObject> {
    const toolCall = objectIn(params['toolCall']);
    const { allow, deny } = answersIn(params);
    if ((this.#requests += 1) > MAX_PERMISSION_REQUESTS) {
      this.#end(this.broken(`more than ${MAX_PERMISSION_REQUESTS} permission requests`));
      return deny;
    }
    this.#peer.record(this.#reader.readPermission(toolCall));
    const request = this.#reader.calls.permissionFor(toolCall, this.#assignment.workspace);
    const only = allow === null ? 'the agent offers no way to allow it once' : null;
    const decision = await this.#peer.ask(request, only, this.#closed.signal);
    if (decision === 'granted' && request.action === 'mode') this.#mayChangeMode = true;
    if (decision === 'granted' && allow !== null) return allow;
    this.#hasDenied = true;
    this.#countDenial(request);
    return deny;
  }

  #countDenial(request: PermissionRequest): void {
    const { engine } = this.#assignment;
    const question = JSON.stringify(request);
    this.#again = { question, count: question === this.#again.question ? this.#again.count + 1 : 1 };
    if (this.#again.count < MAX_EQUAL_DENIALS) return;
    const { action, command, paths, title } = request;
    const tool = shortCall(`${action} ${command ?? (paths.length > 0 ? paths.join(', ') : title)}`);
    this.#end({
      kind: 'broken',
      reason: reason('tool_call_denied', { engine, tool }),
      detail: `denied ${MAX_EQUAL_DENIALS} times in a row, so the agent was ended`,
    });
  }

  #ended(stopReason: string): ConversationEnd {
    const { engine } = this.#assignment;
    // Some agents end a turn as cancelled or at a limit once a call was denied, which is told as such.
    const follows = this.#hasDenied && ['cancelled', 'max_turn_requests'].includes(stopReason);
    const isPlain = follows || ['end_turn', 'refusal'].includes(stopReason);
    if (isPlain) return { kind: 'finished' };
    return {
      kind: 'finished',
      cause: {
        reason: reason('turn_ended_early', { engine, why: stopReason === '' ? 'it gave no reason' : stopReason }),
        detail: 'the stop reason that the agent gave',
      },
    };
  }
}
