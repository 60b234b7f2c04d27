import { positiveInteger, data, listOf, mediaType, object, oneOf, plain, plains, schema, textOr } from './shape.ts';

const inlineData = object({ mimeType: mediaType, ...plains('data', 'displayName') });

const content = object({
  role: plain,
  parts: listOf(
    object(
      {
        ...plains('text', 'thought', 'thoughtSignature'),
        inlineData,
        videoMetadata: object(plains('startOffset', 'endOffset', 'fps')),
        mediaResolution: object(plains('level')),
        functionCall: object({ ...plains('id', 'name'), args: data }),
        functionResponse: object({
          ...plains('id', 'name', 'willContinue', 'scheduling'),
          response: data,
          parts: listOf(object({ inlineData }, 'content')),
        }),
      },
      'content',
    ),
  ),
});

const declaration = object({
  ...plains('name', 'description', 'behavior'),
  parameters: schema,
  parametersJsonSchema: schema,
  response: schema,
  responseJsonSchema: schema,
});

export const geminiBody = object({
  contents: listOf(content),
  systemInstruction: textOr(content),
  // A tool's keys are its kind, and every kind but this one runs at the provider.
  tools: listOf(object({ functionDeclarations: listOf(declaration) }, 'tool')),
  toolConfig: object({
    functionCallingConfig: object({
      mode: plain,
      allowedFunctionNames: listOf(plain),
      streamFunctionCallArguments: plain,
    }),
  }),
  safetySettings: listOf(object(plains('category', 'threshold', 'method'))),
  serviceTier: oneOf('standard', 'flex'),
  generationConfig: object({
    ...plains('temperature', 'topP', 'topK', 'seed', 'presencePenalty', 'frequencyPenalty'),
    ...plains('responseMimeType', 'responseLogprobs', 'logprobs', 'mediaResolution'),
    maxOutputTokens: positiveInteger,
    stopSequences: listOf(plain),
    responseSchema: schema,
    responseJsonSchema: schema,
    thinkingConfig: object(plains('includeThoughts', 'thinkingBudget', 'thinkingLevel')),
  }),
});
