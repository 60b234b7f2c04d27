import { spawn } from 'node:child_process';
import { digestFile } from './file-tree.ts';

/** The SHA-256 of a large file, worked out beside this process where a program for it is installed. The path must be a whole one. */
export function digestAside(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const finish = (text: string): void => {
      try {
        // It puts a backslash before the digest where a name has characters that it writes otherwise.
        resolve(/^\\?([0-9a-f]{64}) /.exec(text)?.[1] ?? digestFile(path).sha256);
      } catch (error) {
        reject(error);
      }
    };
    const child = spawn('sha256sum', ['--', path], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    child.on('error', () => finish(''));
    child.on('close', (code) => finish(code === 0 ? text : ''));
  });
}
