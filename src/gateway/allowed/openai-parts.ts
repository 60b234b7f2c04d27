import { object, oneOf, plains, schema, type Shape } from './shape.ts';

export const reasoning: Shape = object(
  plains('effort', 'summary', 'generate_summary', 'max_tokens', 'exclude', 'enabled', 'context'),
);
/** Other tiers have other prices than the ones that a cost budget knows. */
export const serviceTier: Shape = oneOf('auto', 'default', 'flex');
export const streamOptions: Shape = object(plains('include_usage', 'include_obfuscation'));

export const answerSchema = { ...plains('name', 'description', 'strict'), schema };

/** The definition of a tool's text input. */
export const grammar: Shape = object(plains('syntax', 'definition'));
