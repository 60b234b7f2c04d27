import type { EngineOptions } from '../../engines/definition.ts';
import { engineNamed, ENGINES } from '../../engines/list.ts';
import { SeatrialError } from '../../kernel/errors.ts';

/** The values of the flags that engines define. */
export function engineOptions(given: Readonly<Record<string, unknown>>): EngineOptions {
  const names = ENGINES.flatMap(({ headless }) => headless.options.map(({ name }) => name));
  return Object.fromEntries(
    names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]] as const] : [])),
  );
}

export interface ModelAndBudgetFlags {
  readonly model?: string | undefined;
  readonly maxRequests?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** A flag without effect would hide a mistake. */
export function refuseModelFlags(
  engine: string,
  { model, maxRequests, maxTokens, maxCostUsd }: ModelAndBudgetFlags,
): void {
  const source = engineNamed(engine)?.policy.model ?? null;
  if (model !== undefined && source?.from !== 'flag')
    throw new SeatrialError(
      'usage',
      source === null
        ? `${engine} asks no model; leave out --model, or choose another --engine`
        : `the model of ${engine} is named by ${source.provider} and ${source.name}, not by --model`,
    );
  const budgets = { '--max-requests': maxRequests, '--max-tokens': maxTokens, '--max-cost-usd': maxCostUsd };
  const named = Object.entries(budgets).find(([, value]) => value !== undefined)?.[0];
  if (named !== undefined && source === null)
    throw new SeatrialError('usage', `${engine} asks no model, so ${named} has no effect; leave it out`);
}
