import type { EngineOptions } from '../../engines/definition.ts';
import { ENGINES } from '../../engines/list.ts';

/** The values of the flags that engines define. */
export function engineOptions(given: Readonly<Record<string, unknown>>): EngineOptions {
  const names = ENGINES.flatMap(({ headless }) => headless.options.map(({ name }) => name));
  return Object.fromEntries(
    names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]] as const] : [])),
  );
}
