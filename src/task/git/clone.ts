import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { git } from './call.ts';

const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];

/** `scheme://…`, or `user@host:path` as ssh writes it. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);
}

/** Fetches a repository's objects to copy a commit from: bare, no checkout, none of its code. */
export async function cloneForCopying(url: string, target: string): Promise<string> {
  const allowed = PROTOCOLS.flatMap((protocol) => ['-c', `protocol.${protocol}.allow=always`]);
  try {
    await git([...allowed, 'clone', '--quiet', '--bare', '--', url, target], { endsWithTerminal: true });
    return target;
  } catch (error) {
    const why = messageOf(error).replaceAll(url, 'it');
    throw new SeatrialError('blocked', `${withoutCredentials(url)} cannot be cloned: ${why}`, error);
  }
}

/** A URL may carry a password, which no message and no bundle may repeat. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
