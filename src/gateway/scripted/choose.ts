import type { ScriptedConversation } from './conversation.ts';
import type { ModelScript, Turn } from './schema.ts';

/** The turn to answer with, or null if the script has none. `given` counts how often each turn was used. */
export function chooseTurn(
  { turns }: ModelScript,
  { words, answers }: ScriptedConversation,
  given: ReadonlyMap<Turn, number>,
): Turn | null {
  const left = turns.filter((turn) => (given.get(turn) ?? 0) < (turn.times ?? Infinity));
  const special = left.find((turn) => turn.when !== undefined && words.includes(turn.when));
  const fitting = left.filter((turn) => turn.when === special?.when);
  return fitting[Math.min(answers, fitting.length - 1)] ?? null;
}
