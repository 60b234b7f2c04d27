import { isObject, type JsonObject, parseJson } from '../../gateway/exchange/json.ts';
import type { EngineEvent } from '../definition.ts';

/** Null: the line is no JSON object. */
export function readJsonLine(line: string): JsonObject | null {
  if (!line.startsWith('{')) return null;
  const value = parseJson(line);
  return isObject(value) ? value : null;
}

/** Arguments or results of a tool, as text. */
export function detailText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface ToolCall {
  readonly name: string;
  readonly id: string;
  readonly input: JsonObject;
  /** The file that the tool writes; empty if it writes none. */
  readonly writes: string;
}

/** A call of a tool, and the edit that it claims to make. */
export function toolCallEvents({ name, id, input, writes }: ToolCall): readonly EngineEvent[] {
  const call: EngineEvent = { type: 'engine.tool', data: { name, detail: detailText(input), id } };
  return writes === '' ? [call] : [call, { type: 'engine.edit', data: { path: writes } }];
}

export function message(text: string): readonly EngineEvent[] {
  return text.trim() === '' ? [] : [{ type: 'engine.message', data: { text } }];
}

export const usageEvent = (input: number, output: number): readonly EngineEvent[] =>
  input + output === 0 ? [] : [{ type: 'engine.usage', data: { input_tokens: input, output_tokens: output } }];
