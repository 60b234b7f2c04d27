import type { SampleAnswer } from '../../wires/rules.ts';
import { chunksOf, type ScriptedTurn } from '../said.ts';

export function composeGemini({ model, reasoning, text, toolCalls, usage }: ScriptedTurn): SampleAnswer {
  const thoughts = chunksOf(reasoning).map((chunk) => ({ text: chunk, thought: true }));
  const words = chunksOf(text).map((chunk) => ({ text: chunk }));
  const calls = toolCalls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } }));
  const frame = { modelVersion: model };
  const usageMetadata = { promptTokenCount: usage.input_tokens, candidatesTokenCount: usage.output_tokens };
  const content = (parts: readonly object[]) => ({ role: 'model', parts });
  const parts = [...thoughts, ...words, ...calls];
  return {
    whole: { ...frame, candidates: [{ index: 0, content: content(parts), finishReason: 'STOP' }], usageMetadata },
    events: [
      ...parts.map((part) => ({ ...frame, candidates: [{ index: 0, content: content([part]) }] })),
      { ...frame, candidates: [{ index: 0, content: content([]), finishReason: 'STOP' }], usageMetadata },
    ],
  };
}
