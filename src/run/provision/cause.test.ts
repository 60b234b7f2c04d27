import { expect, test } from 'vitest';
import { causeOf } from './cause.ts';

test.each([
  ['npm error code ENOTFOUND\nnpm error network request to https://r.example/x failed', 'cannot be resolved'],
  ['npm error code EAI_AGAIN', 'cannot be resolved'],
  ['[Errno -2] Name or service not known', 'cannot be resolved'],
  ["fatal: unable to access 'https://r.example/': Could not resolve host: r.example", 'cannot be resolved'],
  ['go: example.com/a: dial tcp: lookup proxy.example: no such host', 'cannot be resolved'],
  ["[6] Couldn't resolve host name", 'cannot be resolved'],
  ['npm error code ECONNREFUSED', 'refuses connections'],
  ['Failed to establish a new connection: [Errno 111] Connection refused', 'refuses connections'],
  ['npm error code ETIMEDOUT', 'does not answer'],
  ['read tcp 10.0.0.1:1->10.0.0.2:443: i/o timeout', 'does not answer'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'certificate is not trusted'],
  ['ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed', 'is not trusted'],
  ['x509: certificate signed by unknown authority', 'is not trusted'],
  ['`npm ci` can only install packages when your package.json and package-lock.json are in sync', 'update and commit'],
  ['error: the lock file /workspace/Cargo.lock needs to be updated but --locked was passed', 'update and commit'],
  ['error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.', 'update and commit'],
  ['npm error code E401\nnpm error Incorrect or missing password.', 'registry refused access'],
  ['ERROR: HTTP error 403 while getting https://r.example/a', 'registry refused access'],
])('%s', (output, expected) => {
  expect(causeOf(output)?.text).toContain(expected);
  expect(causeOf(output)?.text).not.toContain('r.example');
});

test('other output has no known cause', () => {
  expect(causeOf('npm error code ELIFECYCLE')).toBe(null);
  expect(causeOf('error: 401 tests failed, see ENOTES')).toBe(null);
});
