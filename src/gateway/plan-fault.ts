import { signInTargetFault } from './sign-in/read.ts';
import type { GatewayPlan } from './types.ts';

/** The first problem of a plan, or null. Names neither endpoint nor key. */
export function planFault({ upstream, budgets, prices }: GatewayPlan): string | null {
  const wrong = upstream === null ? null : endpointFault(upstream.baseUrl);
  if (wrong !== null) return `the model's base URL ${wrong}`;
  const key = upstream?.key ?? '';
  if (typeof key !== 'string') {
    const elsewhere = signInTargetFault(key.program, upstream?.baseUrl ?? '');
    if (elsewhere !== null) return `the model's base URL ${elsewhere}`;
  } else if (!/^[\x21-\x7e]*$/.test(key))
    return "the model's key contains invalid characters; check for line breaks and spaces around it";
  for (const [name, most] of Object.entries(budgets))
    if (most !== undefined && !(typeof most === 'number' && most > 0))
      return `the budget ${name} must be a number above 0`;
  if (budgets.max_cost_usd !== undefined && prices === null)
    return 'max_cost_usd cannot be enforced without prices; add them to the model, or use max_tokens';
  return null;
}

/** What is wrong with an endpoint, as the end of a sentence that does not quote it; null if nothing is. */
export function endpointFault(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'is not a URL; it must begin with http:// or https://';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '')
    return 'holds a user name or password; take it out, and name the key in a variable of its own (--key-variable)';
  return url.search === '' && url.hash === '' ? null : 'has a query or fragment; give the address alone';
}
