import type { GatewayPlan } from './types.ts';

/** The first problem of a plan, or null. Names neither endpoint nor key. */
export function planFault({ upstream, budgets, prices }: GatewayPlan): string | null {
  if (upstream !== null && !isWebAddress(upstream.baseUrl))
    return "the model's base URL is not valid; it must begin with http:// or https://";
  if (!/^[\x21-\x7e]*$/.test(upstream?.key ?? ''))
    return "the model's key contains invalid characters; check for line breaks and spaces around it";
  for (const [name, most] of Object.entries(budgets))
    if (!(typeof most === 'number' && most > 0)) return `the budget ${name} must be a number above 0`;
  if (budgets.max_cost_usd !== undefined && prices === null)
    return 'max_cost_usd cannot be enforced without prices; add them to the model, or use max_tokens';
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
