import type { ReasonCatalogue } from './reason.ts';

const UNAVAILABLE = { status: 'blocked', cause: 'provider', marker: 'provider-unavailable.txt' } as const;
const CUT = { status: 'fail', cause: 'provider' } as const;

/** Problems between the engine and its model. `backend/model/exchanges.jsonl` has every exchange. */
export const MODEL_REASONS = {
  provider_unavailable: {
    text: 'provider unavailable',
    status: 'blocked',
    cause: 'provider',
    meaning: "The engine's program, or the model it needs, is not available.",
    next: 'Check that the program is installed and the provider is up, then run again.',
  },
  provider_unauthorized: {
    ...UNAVAILABLE,
    text: 'provider unavailable: HTTP 401',
    meaning: 'The provider does not accept the key.',
    next: 'Check the variable that contains the key, then run again.',
  },
  provider_forbidden: {
    ...UNAVAILABLE,
    text: 'provider unavailable: HTTP 403',
    meaning: 'The provider does not allow this key to use the model.',
    next: 'Check the rights of the key at the provider, then run again.',
  },
  provider_rate_limited: {
    ...UNAVAILABLE,
    text: 'provider unavailable: HTTP 429',
    meaning: "The provider's own limit for this key is reached.",
    next: 'Wait, or raise the limit at the provider, then run again.',
  },
  provider_http_error: {
    ...UNAVAILABLE,
    text: 'provider unavailable: HTTP {status}',
    meaning: 'The provider answered with an error, which says nothing about the engine.',
    next: 'Run again when the provider works.',
  },
  provider_timeout: {
    ...UNAVAILABLE,
    text: 'provider unavailable: no answer in time',
    meaning: 'The provider sent nothing for too long, and the request was aborted.',
    next: 'Check that the provider is up and fast enough, then run again.',
  },
  provider_cut_off: {
    ...UNAVAILABLE,
    text: 'provider unavailable: the answer was cut off',
    meaning: "The model's answer broke off before its end, so no engine could have used it.",
    next: 'Run again; if it happens again, check the connection to the provider.',
  },
  provider_unreadable: {
    ...UNAVAILABLE,
    text: 'provider unavailable: the answer cannot be read',
    meaning: 'The response does not have the form of the admitted wire.',
    next: 'Check that the endpoint serves the wire that its record names.',
  },
  provider_empty: {
    ...UNAVAILABLE,
    text: 'provider unavailable: the answer was empty',
    meaning: 'The model answered with nothing.',
    next: 'Check that the endpoint serves the wire that its record names.',
  },
  provider_no_answer: {
    ...UNAVAILABLE,
    text: 'provider unavailable: no answer',
    meaning: 'The provider could not be reached when the engine needed it.',
    next: 'Check that the provider is up, then run again.',
  },
  provider_connection_failed: {
    ...UNAVAILABLE,
    text: 'provider unavailable: the connection failed',
    meaning: 'The connection to the provider failed while the engine needed it.',
    next: 'Check that the provider is up, then run again.',
  },
  auth_bridge_unavailable: {
    text: 'provider auth bridge unavailable',
    status: 'blocked',
    cause: 'provider',
    marker: 'provider-auth-bridge-unavailable.txt',
    meaning: "The provider's credentials do not reach the engine's requests.",
    next: 'Set the key, or choose an admitted model that works with one.',
  },
  response_shape_unavailable: {
    text: 'provider response shape unavailable',
    status: 'blocked',
    cause: 'provider',
    marker: 'provider-reasoning-only.txt',
    meaning: 'The model answered with reasoning only, or in a form that no engine can use.',
    next: 'Serve the model so that it answers with content, then run again.',
  },
  other_model_requested: {
    ...CUT,
    text: 'model not admitted: {model}',
    meaning: 'The engine requested another model than the admitted one. There is no silent default.',
    next: 'Admit that model with `seatrial admit model`, or configure the engine to request the admitted one.',
  },
  other_model_answered: {
    ...CUT,
    text: 'another model answered: {model}',
    meaning: 'The answers come from another model than the admitted one, by their own word.',
    next: 'Serve the admitted model; if it only has another name there, admit it again with --served-as <name> --update.',
  },
  other_model_served: {
    text: 'another model is served: {model}',
    status: 'blocked',
    meaning: 'Asked before the engine starts, the endpoint answered as another model than the admitted one.',
    next: 'Serve the admitted model; if it only has another name there, admit it again with --served-as <name> --update.',
  },
  other_host_requested: {
    ...CUT,
    text: 'another host asked for: {host}',
    meaning: 'The engine tried to reach another host through the gateway to its model.',
    next: 'Read backend/model/exchanges.jsonl, and do not trust this engine with your network.',
  },
  over_budget: {
    ...CUT,
    text: 'over budget: {budget}',
    meaning: 'What is left of the budget does not cover the worst case of the next request to the model.',
    next: 'Raise the limit (--max-requests, --max-tokens, --max-cost-usd) if the task is worth it.',
  },
  replay_mismatch: {
    ...CUT,
    text: 'replay does not fit: request {n} asked for {what}',
    meaning: 'The engine sent other requests than in the recorded run, so the recorded answers do not fit.',
    next: 'Replay with the same engine and task, or record a new run.',
  },
  too_many_requests: {
    ...CUT,
    text: 'the model was asked more than {n} times',
    meaning: 'The engine sent more requests than any task needs.',
    next: 'Read the first exchanges in backend/model/exchanges.jsonl to see what the engine was doing.',
  },
  too_many_bytes: {
    ...CUT,
    text: 'more than {n} bytes went to the model and back',
    meaning: 'The engine exchanged more data with its model than any task needs.',
    next: 'Read the first exchanges in backend/model/exchanges.jsonl to see what the engine was doing.',
  },
  relay_killed: {
    ...CUT,
    text: 'model relay was killed inside the sandbox',
    meaning: 'The engine, or a program it started, ended the relay to the model. The provider was not at fault.',
    next: 'Read backend/stderr.log to see what the engine was doing.',
  },
  transcript_not_written: {
    text: 'model transcript could not be written',
    status: 'blocked',
    cause: 'provider',
    meaning: 'Without a complete transcript a run proves nothing.',
    next: 'Check the free space and permissions of the runs directory, then run again.',
  },
  gateway_ended: {
    text: 'the gateway ended: {why}',
    status: 'blocked',
    cause: 'provider',
    meaning: "The harness's own gateway to the model failed, which says nothing about the engine.",
    next: 'Run again; if it happens again, report it with this bundle.',
  },
  gateway_not_started: {
    text: 'the gateway did not start: {why}',
    status: 'blocked',
    meaning: "The harness's own gateway to the model could not be started.",
    next: 'Build Seatrial again (`npm run build`), then run again.',
  },
  socket_path_too_long: {
    text: 'the socket path {path} is too long; set TMPDIR to a shorter directory',
    status: 'blocked',
    meaning: 'The system limits the length of socket paths.',
    next: 'Set TMPDIR to a shorter directory.',
  },
  socat_missing: {
    text: 'socat is not installed, and no model can be reached without it: {install}',
    status: 'blocked',
    meaning: 'The sandbox reaches the model through socat.',
    next: 'Install socat and run again.',
  },
} as const satisfies ReasonCatalogue;
