import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formsOf } from './forms.ts';
import { Masker } from './mask.ts';
import { SecretPatterns } from './patterns.ts';
import { type KnownSecret, secretVariables } from './variables.ts';

const secret = (name: string, value: string): KnownSecret => ({ name, value: Buffer.from(value) });
const maskerOf = (...known: KnownSecret[]): Masker => new Masker(new SecretPatterns(known));

function inChunks(masker: Masker, bytes: Buffer, sizes: readonly number[]): Buffer {
  const stream = masker.stream();
  const out: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? bytes.length);
    out.push(stream.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, stream.end()]);
}

/** Values with every kind of character that encoders treat specially. */
const VALUES = [
  'hunter2-hunter3',
  `q"uo'te\\back/slash`,
  'two\nlines of it',
  'späße-ünïcode',
  ' sp ace + plus&=%',
  'YWJjZGVmZ2hpamtsbW5v',
];

describe('masking', () => {
  it('replaces a value with the name of its variable and keeps everything else', () => {
    const masker = maskerOf(secret('MY_TOKEN', 'correct-horse'), secret('OTHER_KEY', 'battery-staple'));
    expect(masker.text('a correct-horse and a battery-staple, correct-horse')).toBe(
      'a [masked: MY_TOKEN] and a [masked: OTHER_KEY], [masked: MY_TOKEN]',
    );
    expect(masker.masked).toEqual([
      { name: 'MY_TOKEN', count: 2 },
      { name: 'OTHER_KEY', count: 1 },
    ]);
  });

  it('masks overlapping secrets completely', () => {
    const masker = maskerOf(secret('A_KEY', 'abcdefgh'), secret('B_KEY', 'efghijkl'), secret('C_KEY', 'ijklmnop'));
    expect(masker.text('<abcdefghijklmnop>')).toBe('<[masked: A_KEY]>');
    expect(masker.masked.map(({ name }) => name)).toEqual(['A_KEY', 'B_KEY', 'C_KEY']);
    expect(masker.text('<abcdefghabcdefgh>')).toBe('<[masked: A_KEY][masked: A_KEY]>');
  });

  it('gives the same bytes however the output is chunked', () => {
    const known = VALUES.map((value, index) => secret(`V${index}_KEY`, value));
    const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
    const written = fc.constantFrom(...known.flatMap(({ value }) => formsOf(value).map(({ bytes }) => bytes)));
    const output = fc.array(fc.oneof(noise, written), { maxLength: 8 }).map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(output, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (bytes, sizes) => {
        const whole = inChunks(maskerOf(...known), bytes, [bytes.length]);
        expect(inChunks(maskerOf(...known), bytes, sizes).equals(whole)).toBe(true);
      }),
    );
  });

  it('masks every encoding of a value, whatever surrounds it', () => {
    const known = VALUES.map((value, index) => secret(`V${index}_KEY`, value));
    const written = known.flatMap(({ value }) => formsOf(value).map(({ bytes }) => bytes));
    const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        noise,
        fc.constantFrom(...written),
        noise,
        fc.integer({ min: 1, max: 30 }),
        (before, form, after, size) => {
          const out = inChunks(maskerOf(...known), Buffer.concat([before, form, after]), [size]);
          expect(written.filter((other) => out.includes(other))).toEqual([]);
        },
      ),
    );
  });

  it('passes output without secrets through unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
        expect(inChunks(maskerOf(secret('A_KEY', 'not-in-there-at-all')), Buffer.from(bytes), [size])).toEqual(
          Buffer.from(bytes),
        );
      }),
    );
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'finds a value in the base64 of a whole environment, %i bytes in, lines wrapped',
    (before) => {
      const value = 'sup3r-s3cret-value-of-some-length-that-is-wrapped';
      const encoded = Buffer.from(`${'x'.repeat(before)}${value} and more after it to wrap again`).toString('base64');
      const wrapped = encoded.replace(/.{19}/g, '$&\n');
      const out = maskerOf(secret('A_KEY', value)).text(wrapped);
      expect(out).toContain('[masked: A_KEY]');
      expect(Buffer.from(out.replaceAll('\n', ''), 'base64').toString('latin1')).not.toContain('s3cret');
    },
  );

  it('releases a line at once unless it may start a secret', () => {
    const stream = maskerOf(secret('A_KEY', 'line one\nline two')).stream();
    expect(stream.push(Buffer.from('an ordinary line\n')).toString()).toBe('an ordinary line\n');
    expect(stream.push(Buffer.from('line one\n')).toString()).toBe('');
    expect(stream.push(Buffer.from('line three\n')).toString()).toBe('line one\nline three\n');
  });
});

describe('well-known shapes', () => {
  const random = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz';
  it.each([
    ['API key', `sk-ant-${random}`],
    ['GitHub token', `ghp_${random}abc4`],
    ['GitHub token', `github_pat_${random}`],
    ['AWS access key', 'AKIAQ7R5T3W9Y1B2C4D6'],
    ['Slack token', `xoxb-${random}`],
    ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`],
    ['bearer token', `Bearer ${random}`],
    ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${random}\n${random}\n`],
  ])('%s', (name, text) => {
    expect(maskerOf().text(`x "${text}" y`)).toBe(`x "[masked: ${name}]" y`);
  });

  it.each([
    'Bearer YOUR-ACCESS-TOKEN-GOES-HERE',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'AKIAIOSFODNN7EXAMPLE',
    'disk-usage-2024-report-of-all-machines',
    'class="sk-fading-circle-container-outer"',
    "pem.startsWith('-----BEGIN PRIVATE KEY-----')",
    'a54d88e06612d820bc3be72877c74f257b561b19',
    'AKIAQ7R5T3W9Y1B2C4D6E8',
  ])('not %s', (text) => {
    expect(maskerOf().text(text)).toBe(text);
  });

  it('holds back a bounded number of bytes, whatever a program prints', () => {
    const stream = maskerOf().stream();
    let out = 0;
    for (let n = 0; n < 40; n += 1)
      out += stream.push(Buffer.from(`-----BEGIN PRIVATE KEY-----${'A'.repeat(1000)}`)).length;
    expect(40 * 1027 - out).toBeLessThan(20_000);
  });
});

describe('which variables hold secrets', () => {
  const named = (variables: Record<string, string>): string[] => {
    const entries = Object.entries(variables).map(([name, value]) => [name, Buffer.from(value)] as const);
    return [...new Set(secretVariables(entries).map(({ name }) => name))];
  };

  it.each([
    'OPENAI_API_KEY',
    'APIKEY',
    'GITHUB_TOKEN',
    'npm_config__authToken',
    'DB_PASSWORD',
    'MYSQL_PWD_SECRET',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'HTTP_COOKIE',
    'BASIC_AUTH',
    'OAUTH',
    'PHP_SESSION',
    'SSH_PRIVATE',
    'GPG_PASSPHRASE',
    'GOOGLE_CREDENTIALS',
    'CI_JWT',
    'MYSQL_PWD',
    'SENTRY_DSN',
    'SLACK_WEBHOOK_URL',
    'AZURE_STORAGE_CONNECTION_STRING',
    'DB_CONN_STR',
    'STRIPE_SK',
    'PASSWORD_SALT',
    'WALLET_MNEMONIC',
    'ANDROID_KEYSTORE_BASE64',
    'TOTP_SEED',
    'DOCKERCONFIGJSON',
  ])('%s', (name) => {
    expect(named({ [name]: 'some-value-1' })).toEqual([name]);
  });

  it.each([
    'PATH',
    'GIT_AUTHOR_NAME',
    'KEYBOARD_LAYOUT',
    'SSH_AUTH_SOCK',
    'XDG_SESSION_DESKTOP',
    'DBUS_SESSION_BUS_ADDRESS',
    'PWD',
    'AUTH_TYPE',
  ])('not %s', (name) => {
    expect(named({ [name]: '/some/value-1' })).toEqual([]);
  });

  it('ignores the passwords of every example, and the places where credentials are kept', () => {
    const values = {
      DB_PASSWORD: 'postgres',
      MYSQL_PASSWORD: 'password123',
      RABBIT_PASSWORD: 'changeme',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/me/keys/service-account.json',
      SSL_KEY: './certs/server.key',
      OLDPWD: '/srv/projects/adder-7',
    };
    expect(named(values)).toEqual([]);
  });

  it('ignores short and empty values, which are ordinary words', () => {
    expect(named({ A_KEY: '', B_KEY: 'true', C_KEY: '1234567', D_KEY: '********' })).toEqual([]);
  });

  it('includes the password in a URL, and the lines of a multi-line value', () => {
    const found = secretVariables([
      ['DATABASE', Buffer.from('postgres://me:p4ssw0rd-of-mine@db.internal/x')],
      ['DEPLOY_KEY', Buffer.from('-----BEGIN X-----\nMC4CAQAwBQYDK2VwBCIEIA1\n-----END X-----\n')],
    ]);
    expect(found.map(({ name, value }) => [name, value.toString()])).toEqual([
      ['DATABASE', 'p4ssw0rd-of-mine'],
      ['DEPLOY_KEY', '-----BEGIN X-----\nMC4CAQAwBQYDK2VwBCIEIA1\n-----END X-----'],
      ['DEPLOY_KEY', 'MC4CAQAwBQYDK2VwBCIEIA1'],
    ]);
  });

  it('have names without characters that would end a string', () => {
    expect(named({ 'BAD"\n_KEY': 'some-value-1' })).toEqual(['BAD??_KEY']);
  });
});
