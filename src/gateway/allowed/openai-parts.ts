import { object, oneOf, plains, schema, type AllowedValue } from './shape.ts';

export const reasoning: AllowedValue = object(
  plains('effort', 'summary', 'generate_summary', 'max_tokens', 'exclude', 'enabled', 'context'),
);
/** Other tiers have other prices than the ones that a cost budget knows. */
export const serviceTier: AllowedValue = oneOf('auto', 'default', 'flex');
/** Longer ones keep prompts at the provider. */
export const cacheRetention: AllowedValue = oneOf('in_memory', 'in-memory');
export const streamOptions: AllowedValue = object(plains('include_usage', 'include_obfuscation'));

export const answerSchema = { ...plains('name', 'description', 'strict'), schema };

/** The definition of a tool's text input. */
export const grammar: AllowedValue = object(plains('syntax', 'definition'));
