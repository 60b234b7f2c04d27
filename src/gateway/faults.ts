import type { AnswerSource, Answering, AnswerSink, ForwardedRequest } from './exchange/source.ts';
import type { FaultKind } from './types.ts';
import { speaker, streamFrames } from './scripted/wires.ts';

const TEXT = 'This answer was made by the gateway.';
const REASONING = 'This thought was made by the gateway.';
const NOTHING_SAID = { id: 'gateway', toolCalls: [], usage: { input_tokens: 0, output_tokens: 0 } };
const SLOW_CHUNKS = 20;
const SLOW_MS = 100;

/** Answers that go wrong on demand. */
export class FaultSource implements AnswerSource {
  readonly name = 'fault';
  readonly #kind: FaultKind;
  readonly #timeoutMs: number;

  constructor(kind: FaultKind, timeoutMs: number) {
    this.#kind = kind;
    this.#timeoutMs = timeoutMs;
  }

  answer(asked: ForwardedRequest, sink: AnswerSink): Answering {
    const { wire, error, compose } = speaker(asked.route.wire);
    const say = (status: number, body: Buffer, stream = asked.streamed): void => {
      sink.head(status, { 'content-type': stream ? 'text/event-stream' : 'application/json' }, null);
      sink.part(body);
    };
    const sample = (text: string, reasoning: string): Buffer => {
      const answer = compose({ ...NOTHING_SAID, model: asked.model, text, reasoning });
      return Buffer.from(asked.streamed ? streamFrames(wire, answer).join('') : JSON.stringify(answer.whole));
    };
    switch (this.#kind) {
      case 'hang':
        return silence(sink, this.#timeoutMs);
      case 'slow':
        say(200, Buffer.alloc(0));
        return dribble(sink, sample(TEXT, ''));
      case 'http_500':
        say(500, Buffer.from(JSON.stringify(error(500, 'a fault on demand'))), false);
        break;
      case 'invalid_json':
        say(200, Buffer.from(asked.streamed ? 'data: {"choices":[{\n\n' : '{"choices":[{'));
        break;
      case 'invalid_sse':
        say(200, Buffer.from('<html>this is not a stream</html>'), true);
        break;
      case 'reasoning_only':
        say(200, sample('', REASONING));
        break;
      case 'no_content':
        say(200, sample('', ''));
        break;
      case 'cut_stream': {
        const whole = sample(TEXT, '');
        say(200, whole.subarray(0, whole.length >> 1));
        sink.fail('cut', 'a fault on demand broke off the answer');
        return DONE;
      }
      default:
        this.#kind satisfies never;
    }
    sink.end();
    return DONE;
  }
}

const DONE: Answering = { stop: () => {}, goOn: () => {} };

/** As a provider that takes a question and says nothing. */
export function silence(sink: AnswerSink, timeoutMs: number): Answering {
  const timer = setTimeout(() => sink.fail('timeout', `the provider was silent for ${timeoutMs} ms`), timeoutMs);
  return { stop: () => clearTimeout(timer), goOn: () => {} };
}

function dribble(sink: AnswerSink, bytes: Buffer): Answering {
  const size = Math.ceil(bytes.length / SLOW_CHUNKS);
  let at = 0;
  const timer = setInterval(() => {
    sink.part(bytes.subarray(at, at + size));
    at += size;
    if (at < bytes.length) return;
    clearInterval(timer);
    sink.end();
  }, SLOW_MS);
  return { stop: () => clearInterval(timer), goOn: () => {} };
}
