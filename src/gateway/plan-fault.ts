import type { GatewayPlan } from './types.ts';

/** What is wrong with a plan before anything is started, without saying what it holds. */
export function planFault({ upstream, budgets, prices }: GatewayPlan): string | null {
  if (upstream !== null && !isWebAddress(upstream.baseUrl))
    return 'the address of the model is not a URL; give one that begins with http:// or https://';
  if (!/^[\x21-\x7e]*$/.test(upstream?.key ?? ''))
    return 'the key of the model has characters that no key has; check for line breaks and spaces around it';
  for (const [name, most] of Object.entries(budgets))
    if (!(typeof most === 'number' && most > 0)) return `the budget ${name} is not a number above 0`;
  if (budgets.max_cost_usd !== undefined && prices === null)
    return 'max_cost_usd cannot be watched without prices; add them to the model, or use max_tokens';
  return null;
}

function isWebAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  } catch {
    return false;
  }
}
