import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface SelfSigned {
  readonly url: string;
  /** The file that a client must trust. */
  readonly certificate: string;
  close(): void;
}

/** A server whose certificate nobody vouches for, made in a directory. */
export async function serveSelfSigned(dir: string, answer: RequestListener): Promise<SelfSigned> {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=model', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate, ...subject], { stdio: 'ignore' });
  const server: Server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    certificate,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
