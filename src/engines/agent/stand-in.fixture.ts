import { type Behaviour, hiddenNames, shellOf, WORK } from '../conformance/behaviours.fixture.ts';

/** A shell script that shows a behaviour in the place of an agent: it asks no model. */
export function standInProgram(behaviour: Behaviour, hides: readonly string[]): string {
  return `#!/bin/sh\n${shellOf(behaviour, hides)}\n`;
}

/** The same for an agent that is talked with. It is in every mode that its profile may ask for. */
export function talkingStandIn(behaviour: Behaviour, hides: readonly string[], modes: readonly string[]): string {
  const { work, before = '', after = '', timeLimitSec } = behaviour;
  const session = {
    sessionId: 'stand-in',
    ...(modes.length === 0
      ? {}
      : { modes: { currentModeId: modes[0], availableModes: modes.map((id) => ({ id, name: id })) } }),
  };
  const hangs = timeLimitSec !== undefined && after !== '';
  return [
    '#!/bin/sh',
    hiddenNames(hides),
    before,
    // It hangs before it says anything: after its turn it may be ended.
    hangs ? after : '',
    `answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$(printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')" "$1"; }`,
    'while IFS= read -r line; do',
    '  case $line in',
    `  *'"method":"initialize"'*) answer '{"protocolVersion":1,"agentCapabilities":{}}' ;;`,
    `  *'"method":"session/new"'*) answer '${JSON.stringify(session)}' ;;`,
    `  *'"method":"session/set_'*) answer '{}' ;;`,
    `  *'"method":"session/prompt"'*)`,
    WORK[work],
    `  answer '{"stopReason":"end_turn"}' ;;`,
    '  esac',
    'done',
    after,
    '',
  ].join('\n');
}
