import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { git } from './call.ts';

const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];

/** `scheme://…`, or `user@host:path` for ssh. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);
}

/** Makes a bare clone to copy a commit from; runs none of the repository's code. */
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

/** A URL may contain a password, which must not appear in messages or bundles. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
