import type { Explanation } from './explanation.ts';

/** What stood between the engine and its model. Every exchange is in `backend/model/exchanges.jsonl`. */
export const MODEL: readonly Explanation[] = [
  {
    when: /^provider unavailable$/,
    means:
      "The engine's program, or the model it needs, was not there. The refused check says which; run again once it is.",
  },
  {
    when: /^provider unavailable: HTTP 40[13]$/,
    means: 'The provider does not accept the key. Check the variable that holds it, then run again.',
  },
  {
    when: /^provider unavailable: HTTP 429$/,
    means: 'The provider has had enough of this key for now: a limit of its own. Wait, or raise it there.',
  },
  {
    when: /^provider unavailable: HTTP /,
    means: 'The provider answered with an error, which says nothing about the engine. Run again once it works.',
  },
  {
    when: /^provider unavailable: no answer in time$/,
    means: 'The provider fell silent and the request was given up. See that it is up and fast enough, then run again.',
  },
  {
    when: /^provider unavailable: the answer was cut off$/,
    means: "The model's answer broke off before its end, so nobody could have gone on from it. Run again.",
  },
  {
    when: /^provider unavailable: the answer (?:cannot be read|was empty)$/,
    means:
      'What came back is no answer of the kind that was admitted. See that the endpoint serves the wire that its record names.',
  },
  {
    when: /^provider unavailable: /,
    means: 'The provider could not be reached when the engine needed it. See that it is up, then run again.',
  },
  {
    when: /^provider auth bridge unavailable$/,
    means:
      "The provider's credentials do not get as far as the engine's requests. Set the key, or choose an admitted model that works with one.",
  },
  {
    when: /^provider response shape unavailable$/,
    means:
      'The model answered, but only with reasoning or in a form that no engine can use. Serve it so that it answers with content.',
  },
  {
    when: /^model not admitted: /,
    means:
      'The engine asked for another model than the admitted one. It was refused and the run ended: there is no silent default.',
  },
  {
    when: /^another host asked for: /,
    means: 'The engine tried to reach something else through the way to its model. It was refused and the run ended.',
  },
  {
    when: /^over budget: /,
    means:
      'The run had spent what it may on its model. Raise the limit (--max-requests, --max-tokens, --max-cost-usd) if the task is worth it.',
  },
  {
    when: /^the gateway ended: /,
    means:
      "The harness's own way to the model broke, which says nothing about the engine. Run again; if it recurs, report it with this bundle.",
  },
  {
    when: /^the way to the model was cut from inside$/,
    means:
      'Something in the confinement ended the relay to the model: the engine or what it started, not the provider.',
  },
  {
    when: /^socat is not installed/,
    means: 'Without it no model can be reached from inside the confinement. Install it and run again.',
  },
  {
    when: /^replay (?:does not fit|exhausted)/,
    means: 'The engine asked other questions than in the recorded run, so the recorded answers do not fit it.',
  },
  {
    when: /^no provider was given$/,
    means:
      'The gateway had neither an address of the model nor answers to replay. Set the variable that its record names.',
  },
  {
    when: /^(?:the model was asked more than \d+ times|more than \d+ bytes went to the model and back)$/,
    means:
      'More than any work takes, and more than is kept of one run: it was ended. Look at the first of its exchanges for what it was after.',
  },
  {
    when: /^what the model was asked and answered could not be kept$/,
    means: 'Without the record of it a run proves nothing. See that there is room in the runs folder, and run again.',
  },
];
