import type { SampleAnswer } from '../../wires/rules.ts';
import { piecesOf, type Said } from '../said.ts';

export function composeGemini({ model, reasoning, text, toolCalls, usage }: Said): SampleAnswer {
  const thoughts = piecesOf(reasoning).map((piece) => ({ text: piece, thought: true }));
  const words = piecesOf(text).map((piece) => ({ text: piece }));
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
